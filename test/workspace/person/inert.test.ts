import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linkOf, setTable } from './support.ts';

const source = join(import.meta.dirname, '../../../src/workspace/person/page');

describe('what an agent wrote', () => {
  it('W-48 is in no HTML, and every answer to the person forbids scripts that the host does not serve', async () => {
    const { host, person, agent, call } = await setTable();
    const markup = '<img src=x onerror=alert(1)><script>alert(2)</script>';
    const desk = await agent(`Desk ${markup}`);
    const run = { run: { id: 'evil', title: `Title ${markup}` } };
    const trick = `${markup} \u202egnp.exe`;
    await desk.typed('tilo_do', { path: 'notes#new-page', args: { title: trick } }, run);
    const link = linkOf(await call(desk, 'lab#send', { note: trick }));
    const pages = [
      '/',
      '/w/studio/',
      new URL(link).pathname,
      '/w/studio/activity',
      '/w/studio/here',
      '/w/studio/settings',
    ];
    const answers = [
      ...pages,
      '/enter?code=none',
      '/w/nowhere/',
      '/page/page.css',
      '/page/icon.svg',
      '/page/none.js',
      '/w/studio/person/asks',
      '/w/studio/person/activity',
      '/w/studio/person/none',
    ];
    for (const path of answers) {
      const response = await person.get(path);
      const { headers } = response;
      expect([path, headers.get('content-security-policy')]).toEqual([
        path,
        "default-src 'self'; frame-ancestors 'none'",
      ]);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('access-control-allow-origin')).toBeNull();
      const body = await response.text();
      const isHtml = headers.get('content-type')?.startsWith('text/html') ?? false;
      expect([path, isHtml]).toEqual([
        path,
        pages.includes(path) || path === '/enter?code=none' || path === '/w/nowhere/',
      ]);
      if (isHtml) {
        expect(body).not.toMatch(
          /onerror|alert|gnp|<script(?! type="module" src="\/page\/page\.js"><\/script>)| style=| on\w+=/,
        );
        expect(body).not.toContain('\u202e');
      } else if (path.endsWith('/asks')) expect(JSON.parse(body).asks[0].args.note).toBe(trick);
    }
    const nobody = await fetch(`${host.address}/w/studio/`);
    expect(nobody.headers.get('content-security-policy')).toBe("default-src 'self'; frame-ancestors 'none'");
  });

  it('W-48 reaches the page through text nodes alone: its scripts make no HTML of text', () => {
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    expect(files.length).toBeGreaterThan(10);
    for (const name of files) {
      const text = readFileSync(join(source, name), 'utf8');
      expect([
        name,
        text.match(
          /innerHTML|outerHTML|insertAdjacentHTML|setHTML|document\.write|DOMParser|createContextualFragment|srcdoc|\beval\b|new Function/,
        ),
      ]).toEqual([name, null]);
    }
  });
});
