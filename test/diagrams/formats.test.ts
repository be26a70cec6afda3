import { describe, expect, it } from 'vitest';
import {
  type DiagramName,
  diagramNames,
  diagramOf,
  diagramTitle,
  outlineNamed,
} from '../../machines/diagrams/index.ts';
import { endFill, ink, roleFill } from '../../machines/diagrams/palette.ts';
import { allBoxes, pictureOf } from '../../machines/diagrams/picture.ts';

const unescaped = (text: string): string =>
  text
    .replaceAll('&#160;', ' ')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

interface Text {
  readonly words: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Every text of a drawing with the room that it takes at least: half its size a character. */
const textsOf = (svg: string): readonly Text[] =>
  [...svg.matchAll(/<text ([^>]*)>([^<]*)<\/text>/g)].map(([, attributes = '', raw = '']) => {
    const number = (name: string): number => Number(new RegExp(` ?${name}="(-?[0-9.]+)"`).exec(attributes)?.[1]);
    const words = unescaped(raw);
    const size = number('font-size');
    const width = words.trim().length * size * 0.5;
    const left = number('x') - (attributes.includes('text-anchor="middle"') ? width / 2 : 0);
    return { words, left, right: left + width, top: number('y') - size * 0.6, bottom: number('y') };
  });

const overlap = (a: Text, b: Text): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const luminance = (hex: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (a: string, b: string): number => {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
};

const labels = (name: DiagramName): readonly string[] =>
  allBoxes(pictureOf(outlineNamed(name), name).root)
    .slice(1)
    .map(({ label }) => label)
    .filter((label) => label !== '');

describe('a drawing', () => {
  it.each(diagramNames)('of %s names every box and carries its title', async (name) => {
    const svg = await diagramOf(name, 'svg');
    const words = textsOf(svg).map((text) => text.words);
    expect(words).toEqual(expect.arrayContaining([...labels(name), diagramTitle(name)]));
    expect(svg).toContain(`role="img" aria-label="${diagramTitle(name)}"`);
  });

  it.each(diagramNames)('of %s lays no text over another', async (name) => {
    const texts = textsOf(await diagramOf(name, 'svg')).filter(({ words }) => words.trim() !== '');
    const pairs = texts.flatMap((a, at) =>
      texts.slice(at + 1).flatMap((b) => (overlap(a, b) ? [`${a.words} / ${b.words}`] : [])),
    );
    expect(texts.length).toBeGreaterThan(5);
    expect(pairs).toEqual([]);
  });

  it.each(diagramNames)('of %s comes out byte for byte the same', async (name) => {
    expect(await diagramOf(name, 'svg')).toBe(await diagramOf(name, 'svg'));
  });

  it('has texts that stand out from what is behind them', () => {
    const fills = [
      ink.paper,
      ink.group,
      ...Object.values(roleFill),
      ...['completed', 'partial', 'blocked', 'cancelled', null].map(endFill),
    ];
    for (const fill of fills) {
      expect(contrast(ink.text, fill)).toBeGreaterThan(7);
      expect(contrast(ink.quiet, fill)).toBeGreaterThan(4.5);
    }
    for (const fill of [ink.paper, ink.group]) {
      expect(contrast(ink.effect, fill)).toBeGreaterThan(7);
      expect(contrast(ink.refused, fill)).toBeGreaterThan(7);
    }
  });
});

describe('DOT text', () => {
  it.each(diagramNames)('of %s has a cluster for each box with boxes in it', async (name) => {
    const dot = await diagramOf(name, 'dot');
    const [, ...inner] = allBoxes(pictureOf(outlineNamed(name), name).root);
    const groups = inner.filter(({ kind }) => kind === 'group').map(({ id }) => `subgraph "cluster_${id}" {`);
    expect(dot.match(/subgraph "[^"]+" \{/g) ?? []).toEqual(groups);
  });
});

describe('Mermaid text', () => {
  it('shows history as a state that is called so', async () => {
    const mermaid = await diagramOf('run', 'mermaid');
    expect(mermaid).toContain('state "H* back to where it paused (deep)" as run_working_resume');
    expect(mermaid).toContain('run_clarification --> run_working_resume : (1) resume');
  });

  it('tells in the box of a phase what it waits for, and in a note what stays put', async () => {
    const mermaid = await diagramOf('run', 'mermaid');
    expect(mermaid).toContain('run_working_execute : also takes submit.Evidence');
    expect(mermaid).toMatch(
      /note right of run_terminal_any\n\s+user\.cancel - refused \(1\) stale - stays \(2\) otherwise \/ ended/,
    );
  });

  it.each(diagramNames)('of %s declares each state that an arrow names', async (name) => {
    const mermaid = await diagramOf(name, 'mermaid');
    const declared = new Set([...mermaid.matchAll(/^\s*state (?:".*" as )?(\w+)/gm)].map(([, id]) => id));
    const named = [...mermaid.matchAll(/^\s*(\S+) --> (\S+)/gm)].flatMap(([, from, to]) => [from, to]);
    expect(named.filter((id) => id !== '[*]' && !declared.has(id))).toEqual([]);
    expect(named.length).toBeGreaterThan(1);
  });

  it.each(diagramNames)('of %s keeps the characters that end a statement out of its labels', async (name) => {
    const mermaid = await diagramOf(name, 'mermaid');
    const texts = [...mermaid.matchAll(/ --> \S+ : (.*)$/gm)].map(([, text]) => text);
    expect(texts.filter((text) => /[:;#{}]/.test(text ?? ''))).toEqual([]);
  });
});
