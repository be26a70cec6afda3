import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { canonicalBytes, digest } from '../../schemas/canonical.ts';
import { checkBody, normalizeManifest } from '../../schemas/issues.ts';
import { limits } from '../../schemas/vocabulary.ts';
import { at, bodiesFolder, bodyIn, cases, invalid, valid } from './bodies.ts';

describe('the conformance bodies', () => {
  it('are all named by the index, and the index names no other', () => {
    const files = readdirSync(bodiesFolder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\/.*\.json$/.test(file),
    );
    expect(files.sort()).toEqual(cases.map(({ file }) => file).sort());
  });

  it.each(valid)('accepts $file and stores it under its digest', (one) => {
    const body = bodyIn(one.file);
    const checked = checkBody(one.type, body);
    if (!checked.ok) throw new Error(JSON.stringify(checked.issues));
    expect(digest(checked.body)).toBe(one.sha256);
    expect(canonicalBytes(checked.body)).toBe(one.canonicalBytes);
    const added = one.defaultsAdded ?? {};
    for (const [pointer, value] of Object.entries(added)) {
      const path = pointer.slice(1).replaceAll('/', '.');
      expect(at(checked.body, path)).toEqual(value);
      expect(at(body, path)).toBeUndefined();
    }
    if (Object.keys(added).length === 0) expect(checked.body).toEqual(body);
  });

  it.each(invalid)('refuses $file with $rule at "$path"', (one) => {
    const checked = checkBody(one.type, bodyIn(one.file));
    if (checked.ok) throw new Error('accepted');
    const paths = checked.issues.map(({ path }) => path);
    expect(new Set(paths)).toEqual(new Set([one.path, ...(one.otherPaths ?? [])]));
    const issue = checked.issues.find(({ path, code }) => path === one.path && code === one.rule);
    expect(issue).toBeDefined();
    expect(checked.count).toBe(checked.issues.length);
    for (const { message, fix } of checked.issues) {
      expect(message.length).toBeLessThanOrEqual(limits.issueMessage);
      expect(message).toMatch(/^[^\n\r]+$/);
      expect(fix).toMatch(/\.$/);
    }
  });

  const wires = valid.filter(({ type }) => type === 'ContextManifestWire');

  it.each(wires)('normalises $file to the canonical manifest, or says where that fails', (one) => {
    const manifest = normalizeManifest(bodyIn(one.file));
    if (one.normalizedSha256) expect(manifest.ok && digest(manifest.body)).toBe(one.normalizedSha256);
    else expect(manifest.ok || manifest.issues.map(({ path }) => path)).toEqual(one.normalizationFailsAt);
  });

  it('names the rule in the message of every coded refinement', () => {
    const refinements = invalid.filter(
      ({ rule }) => !/^SCH-(KEY|TYPE|ENUM|NUM|LEN|ID|TIME|PATH|SHA|URI|TEXT|SUM|COMMIT|ROOT)-/.test(rule ?? ''),
    );
    expect(refinements.length).toBeGreaterThan(80);
    for (const one of refinements) {
      const checked = checkBody(one.type, bodyIn(one.file));
      expect(
        !checked.ok &&
          checked.issues.some(({ path, message }) => path === one.path && message.startsWith(`${one.rule}: `)),
        one.file,
      ).toBe(true);
    }
  });
});
