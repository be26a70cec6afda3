import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { pairs } from '../../machines/graph/runGraph.ts';
import { digestOfText } from '../../schemas/canonical.ts';
import { verifyBundle } from '../../src/controller/verifyBundle.ts';
import { telic } from '../cli/console.ts';
import { walk } from '../law/journal.ts';
import { newWorld, type World } from '../law/world.ts';
import { apart, bed, bundleIn, inWorld, open, play, tamper, verified, whole } from './bed.ts';
import { changeBytes } from './changedBytes.ts';

const folder = (): string => {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'telic-bundle-')));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};

const withRun = async (labels = whole): Promise<Readonly<{ world: World; runId: string; file: string }>> => {
  const world = bed();
  const session = world.open();
  const { runId } = await play(session, labels);
  session.controller.close();
  return { world, runId, file: join(folder(), 'run.telic') };
};

describe('a bundle', () => {
  it('that was exported in one folder is verified in another, where there is no ledger and no repository', async () => {
    const { world, runId, file } = await withRun();
    const exported = await apart(world, 'export', runId, '--out', file);
    expect(exported).toMatchObject({ exit: 0, err: '' });
    const bytes = readFileSync(file);
    expect(JSON.parse(exported.out)).toMatchObject({
      runId,
      file,
      bytes: bytes.byteLength,
      sha256: digestOfText(bytes.toString('utf8')),
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    world.close();
    const said = await telic(['verify', 'run.telic', '--json'], { cwd: join(file, '..') });
    expect(said).toMatchObject({ exit: 0, err: '' });
    expect(JSON.parse(said.out)).toMatchObject({
      ok: true,
      runs: 1,
      differences: [],
      notJudged: [],
      file: 'run.telic',
    });
  });

  it('is printed without --out, and is the same bytes each time', async () => {
    const { world, runId, file } = await withRun(open);
    await inWorld(world, 'export', runId, '--out', file);
    const printed = await inWorld(world, 'export', runId);
    expect(printed.out).toBe(readFileSync(file, 'utf8'));
    expect((await inWorld(world, 'export', runId)).out).toBe(printed.out);
  });

  it('is not written over a file that is there', async () => {
    const { world, runId, file } = await withRun(open);
    writeFileSync(file, 'kept');
    const said = await inWorld(world, 'export', runId, '--out', file);
    expect(said).toEqual({
      exit: 1,
      out: '',
      err: `telic: ${file} cannot be written: there is such a file already.\n`,
    });
    expect(readFileSync(file, 'utf8')).toBe('kept');
  });

  it('is not made of a damaged run', async () => {
    const { world, runId, file } = await withRun(open);
    tamper(world, (db) => {
      db.prepare(`UPDATE events SET at = 'then' WHERE sequence = 4`).run();
    });
    const said = await inWorld(world, 'export', runId, '--out', file);
    expect(said).toMatchObject({ exit: 1, out: '' });
    expect(said.err).toMatch(/event 4, altered/);
    expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined();
  });

  it('of every kind of run is whole', async () => {
    const world = newWorld();
    onTestFinished(() => world.close());
    const table = { world, one: world.open(), two: world.open() };
    for (const [seed, pair] of pairs.entries()) {
      const { runId, name } = await walk(table, pair, seed);
      const { differences, notJudged } = verifyBundle(bundleIn(table.two.ledger, runId));
      expect({ name, differences, notJudged }).toEqual({ name, differences: [], notJudged: [] });
    }
  });
});

describe('a byte of a bundle', () => {
  it('that is another anywhere is named', async () => {
    const world = bed();
    const session = world.open();
    const { runId } = await play(session, whole);
    const bytes = bundleIn(session.ledger, runId);
    expect(verifyBundle(bytes).differences).toEqual([]);
    // Ten times as many are changed apart (bundle.proof.ts).
    changeBytes(bytes, 100);
    // The first and the last lines are few bytes among many.
    for (let at = bytes.length - 90; at < bytes.length; at += 1)
      for (const by of [1, 32, 128]) {
        const changed = Buffer.from(bytes);
        changed[at] = ((changed[at] ?? 0) + by) % 256;
        expect(verifyBundle(changed).differences, `byte ${at}`).not.toEqual([]);
      }
  });

  it('that is missing or too many anywhere is named', async () => {
    const world = bed();
    const session = world.open();
    const { runId } = await play(session, open);
    const bytes = bundleIn(session.ledger, runId);
    fc.assert(
      fc.property(fc.nat(bytes.length), fc.integer({ min: 0, max: 255 }), (at, byte) => {
        const longer = Buffer.concat([bytes.subarray(0, at), Buffer.of(byte), bytes.subarray(at)]);
        expect(verifyBundle(longer).differences).not.toEqual([]);
        if (at === bytes.length) return;
        const shorter = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
        expect(verifyBundle(shorter).differences).not.toEqual([]);
      }),
    );
    for (const nothing of ['', '\n', '{}', '{}\n'])
      expect(verifyBundle(Buffer.from(nothing)).differences).not.toEqual([]);
  });

  it('in a process ends it with 1 and the place where it can be told', async () => {
    const { world, runId, file } = await withRun();
    await inWorld(world, 'export', runId, '--out', file);
    const text = readFileSync(file, 'utf8');
    const changed = text.replace('README.md', 'README.mD');
    expect(changed).not.toBe(text);
    writeFileSync(file, changed);
    const said = await apart(world, 'verify', file, '--json');
    expect(said).toMatchObject({ exit: 1, err: '' });
    const kinds = z
      .object({ differences: z.array(z.object({ kind: z.string(), sequence: z.number() })) })
      .parse(JSON.parse(said.out))
      .differences.map(({ kind, sequence }) => [sequence, kind]);
    expect(kinds[0]).toEqual([0, 'file']);
    expect(kinds.length).toBeGreaterThan(1);
  });

  it('behind a digest that was computed anew is named by the run in it', async () => {
    const world = bed();
    const session = world.open();
    const { runId } = await play(session, whole);
    const lines = bundleIn(session.ledger, runId).toString('utf8').split('\n').slice(0, -2);
    const sealed = (changed: readonly string[]): Buffer => {
      const content = `${changed.join('\n')}\n`;
      return Buffer.from(`${content}{"sha256":"${digestOfText(content)}"}\n`);
    };
    expect(verifyBundle(sealed(lines)).differences).toEqual([]);
    const kindsWith = (number: number, change: (line: string) => string): readonly string[] => {
      const changed = lines.map((line, index) => (index === number ? change(line) : line));
      expect(changed).not.toEqual(lines);
      return verifyBundle(sealed(changed)).differences.map(({ sequence, kind }) => `${sequence} ${kind}`);
    };
    expect(kindsWith(3, (line) => line.replace('"redaction":"none"', '"redaction":"partial"'))).toContain('3 altered');
    expect(kindsWith(0, (line) => line.replace('"denials":0', '"denials":1'))).toContain('0 run_row');
    expect(kindsWith(0, (line) => line.replace('"head":', '"head": '))).toEqual(['0 file']);
    expect(
      kindsWith(lines.length - 1, (line) => line.replace('"schemaVersion":"1.0"', '"schemaVersion":"1.1"')),
    ).toEqual(expect.arrayContaining([expect.stringMatching(/^\d+ body$/)]));
    expect(verifyBundle(sealed([...lines.slice(0, 4), ...lines.slice(5)])).differences).not.toEqual([]);
    expect(verifyBundle(sealed([...lines, lines.at(-1) ?? ''])).differences).not.toEqual([]);
  });
});

describe('an import', () => {
  it('takes a run in that then is what it was', async () => {
    const { world, runId, file } = await withRun();
    await inWorld(world, 'export', runId, '--out', file);
    const there = bed();
    const said = await apart(there, 'import', file);
    expect(said).toMatchObject({ exit: 0, err: '' });
    expect(JSON.parse(said.out)).toMatchObject({ runId, status: 'completed', repositoryRoot: world.root });
    expect(await verified(there)).toMatchObject({ ok: true, runs: 1 });
    for (const argv of [
      ['status', runId],
      ['trace', runId],
      ['replay', runId],
    ])
      expect(await inWorld(there, ...argv)).toEqual(await inWorld(world, ...argv));
    const again = join(folder(), 'again.telic');
    await inWorld(there, 'export', runId, '--out', again);
    expect(readFileSync(again)).toEqual(readFileSync(file));
  });

  it('refuses the id of a run that is there, and one that was deleted', async () => {
    const { world, runId, file } = await withRun();
    await inWorld(world, 'export', runId, '--out', file);
    expect(await inWorld(world, 'import', file)).toEqual({
      exit: 1,
      out: '',
      err: `telic: Run ${runId} is in this ledger already; nothing was written.\n`,
    });
    expect(await verified(world)).toMatchObject({ ok: true, runs: 1 });
    expect(await inWorld(world, 'delete', runId, '--yes')).toMatchObject({ exit: 0 });
    expect((await inWorld(world, 'import', file)).err).toMatch(/was deleted from this ledger/);
    expect(await verified(world)).toMatchObject({ ok: true, runs: 0 });
  });

  it('writes nothing of a bundle that was changed', async () => {
    const { world, runId, file } = await withRun(open);
    await inWorld(world, 'export', runId, '--out', file);
    writeFileSync(file, readFileSync(file, 'utf8').replace('README.md', 'README.mD'));
    const there = bed();
    const said = await inWorld(there, 'import', file);
    expect(said).toMatchObject({ exit: 1, out: '' });
    expect(said.err).toMatch(/is not what was written/);
    expect((await inWorld(there, 'verify')).err).toMatch(/There is no ledger/);
  });

  it('keeps nothing when a body in the ledger is another under the same digest', async () => {
    const world = bed();
    const file = join(folder(), 'run.telic');
    const first = world.open();
    // Ids are counted: the run that is exported must not have the one of the run that is there.
    await play(first, ['GROUND']);
    const { runId } = await play(first, ['GROUND']);
    first.controller.close();
    await inWorld(world, 'export', runId, '--out', file);
    const digests = readFileSync(file, 'utf8').match(/sha256:[0-9a-f]{64}(?="\}\n)/g) ?? [];
    const there = bed();
    const session = there.open();
    await play(session, []);
    session.controller.close();
    tamper(there, (db) => db.prepare('INSERT INTO bodies VALUES (?, ?)').run(digests.at(-2), '{}'));
    expect((await inWorld(there, 'import', file)).err).toMatch(/another body under its digest/);
    expect(await verified(there)).toMatchObject({ ok: true, runs: 1 });
  });

  it('says what is wrong with a file that cannot be read', async () => {
    const world = bed();
    expect((await inWorld(world, 'import', 'nowhere')).err).toBe(
      'telic: nowhere cannot be read: there is no such file or directory.\n',
    );
    expect((await inWorld(world, 'import', '.')).err).toBe('telic: . cannot be read: it is a directory.\n');
  });
});

describe('a statement', () => {
  const Statement = z.strictObject({
    _type: z.literal('https://in-toto.io/Statement/v1'),
    subject: z.array(
      z.strictObject({ name: z.string(), digest: z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }) }),
    ),
    predicateType: z.string(),
    predicate: z.looseObject({ runId: z.string(), reportRef: z.string(), report: z.looseObject({ id: z.string() }) }),
  });

  it('names the report, the bundle and the changed files with their digests', async () => {
    const world = bed('git');
    const session = world.open();
    const { runId } = await play(
      session,
      [...whole.slice(0, 7), 'QualityReview reverify pass', ...whole.slice(7)],
      ['fix_only', 'forensic'],
    );
    const report = session.ledger.artifacts(runId, 0).findLast(({ type }) => type === 'UserReport');
    session.controller.close();
    const said = await inWorld(world, 'export', runId, '--statement');
    expect(said).toMatchObject({ exit: 0, err: '' });
    const statement = Statement.parse(JSON.parse(said.out));
    const bundle = (await inWorld(world, 'export', runId)).out;
    expect(statement.subject).toEqual([
      { name: `artifact://${runId}/${report?.id}`, digest: { sha256: report?.sha256.slice(7) } },
      { name: `${runId}.telic`, digest: { sha256: digestOfText(bundle).slice(7) } },
      { name: 'README.md', digest: { sha256: '1'.repeat(64) } },
    ]);
    expect(statement.predicate).toMatchObject({
      runId,
      reportRef: `artifact://${runId}/${report?.id}`,
      report: report?.body,
    });
    const file = join(folder(), 'statement.json');
    expect(await inWorld(world, 'export', runId, '--statement', '--out', file)).toMatchObject({ exit: 0 });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(statement);
  });

  it('cannot be made before the report', async () => {
    const { world, runId } = await withRun(open);
    expect((await inWorld(world, 'export', runId, '--statement')).err).toBe(
      `telic: Run ${runId} has no final report yet, so there is nothing to state.\n`,
    );
  });
});
