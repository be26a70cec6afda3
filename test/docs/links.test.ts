import { existsSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorsOf, pages, proseOf, root, textOf } from './pages.ts';

const linksOf = (page: string): readonly string[] => {
  const prose = proseOf(textOf(page));
  const found = [...prose.matchAll(/\]\(([^)\s]+)\)/g), ...prose.matchAll(/(?:href|src)="([^"]+)"/g)];
  return found.map(([, link = '']) => link).filter((link) => !/^[a-z]+:/.test(link));
};

const faultOf = (page: string, link: string): string | null => {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), path));
  if (target.startsWith('..')) return `${link} leads out of the project`;
  if (!existsSync(join(root, target))) return `${link} leads nowhere`;
  if (anchor === undefined) return null;
  if (!target.endsWith('.md') || !statSync(join(root, target)).isFile())
    return `${link} names a place in what is no page`;
  return anchorsOf(textOf(target)).has(anchor) ? null : `${link} names no heading of ${target}`;
};

describe('the links of the documentation', () => {
  it.each(pages)('%s leads only to what is there', (page) => {
    expect(linksOf(page).flatMap((link) => faultOf(page, link) ?? [])).toEqual([]);
  });

  it.each(pages.filter((page) => page.startsWith('docs/')))('%s leads to no test, which the package lacks', (page) => {
    expect(linksOf(page).filter((link) => /^(?:\.\.\/)+test(?:\/|$)/.test(link))).toEqual([]);
  });

  it('are found at all', () => {
    expect(linksOf('docs/machines/README.md')).toContain('run.svg');
    expect(faultOf('docs/machines/README.md', 'walk.svg')).toBe('walk.svg leads nowhere');
    expect(faultOf('docs/machines/README.md', '#walk')).toBe('#walk names no heading of docs/machines/README.md');
  });
});
