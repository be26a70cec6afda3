import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';

/** A test as its file tells it, read without running it. */
export interface Title {
  /** Path under `test/`, with `/`. */
  readonly file: string;
  /** Titles of the groups around it and its own, outermost first. */
  readonly path: readonly string[];
  /** Whether it may be skipped (`skipIf`, `runIf`), itself or with its group. */
  readonly conditional: boolean;
}

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** What stands for the parts of a title that are computed. */
export const hole = '…';

/** The text of a literal, its computed parts as `hole`; null when the expression is no text. */
const textOf = (expression: unknown): string | null => {
  if (!isNode(expression)) return null;
  if (expression.type === 'StringLiteral') return String(expression.value);
  if (expression.type !== 'TemplateLiteral') return null;
  const fixed = listOf(expression.quasis).map((part) => (isNode(part) ? String(part.cooked) : ''));
  return fixed.join(hole);
};

/** The words of a callee, outermost first: `it.each(rows)` is `it`, `each`. Null when it is no name with words behind it. */
const wordsOf = (callee: unknown): readonly string[] | null => {
  if (!isNode(callee)) return null;
  if (callee.type === 'Identifier') return [String(callee.value)];
  if (callee.type === 'CallExpression') return wordsOf(callee.callee);
  if (callee.type !== 'MemberExpression' || !isNode(callee.property)) return null;
  const before = wordsOf(callee.object);
  return before && [...before, String(callee.property.value)];
};

const argumentsOf = (call: Node): readonly unknown[] =>
  listOf(call.arguments).map((argument) => (isNode(argument) ? argument.expression : null));

const firstText = (list: unknown): string => {
  const [first] = isNode(list) ? listOf(list.elements) : [];
  return (isNode(first) ? textOf(first.expression) : null) ?? hole;
};

/**
 * The tests that a call of the rule rooms makes: `refuses(code, what, …)`, `accepts(code, what, …)` (`suite` in
 * test/rules/executionFixtures.ts) and `pair(book, code, [refused, …], [accepted, …])` (test/rules/fixtures.ts).
 */
const madeBy = (name: string, given: readonly unknown[]): readonly string[] => {
  if (name === 'pair') {
    const code = textOf(given[1]) ?? hole;
    return [`${code} refuses ${firstText(given[2])}`, `${code} accepts ${firstText(given[3])}`];
  }
  if (name !== 'refuses' && name !== 'accepts') return [];
  return [`${textOf(given[0]) ?? hole} ${name} ${textOf(given[1]) ?? hole}`];
};

const parsed = (file: string, source: string): unknown => {
  try {
    return parseSync(source, { syntax: 'typescript', target: 'es2022' });
  } catch (cause) {
    throw new Error(`test/${file} cannot be read as TypeScript.`, { cause });
  }
};

const isOff = (words: readonly string[]): boolean => words.includes('skip') || words.includes('todo');
const isConditional = (words: readonly string[]): boolean => words.includes('skipIf') || words.includes('runIf');

/**
 * The tests of one source text. A title counts by its fixed parts: what is computed stands as `…`, the placeholders of
 * `each` (`%s`, `$name`) as they are written. Tests that are switched off (`skip`, `todo`) count as none.
 */
export const titlesIn = (file: string, source: string): readonly Title[] => {
  const found: Title[] = [];
  const visit = (value: unknown, groups: readonly string[], conditional: boolean): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item, groups, conditional);
      return;
    }
    if (!isNode(value)) return;
    const words = value.type === 'CallExpression' ? wordsOf(value.callee) : null;
    const [name] = words ?? [];
    const given = words ? argumentsOf(value) : [];
    for (const title of name === undefined ? [] : madeBy(name, given))
      found.push({ file, path: [...groups, title], conditional });
    // The callee of `it.each(rows)(title, body)` is a call itself, without a title: it is no test.
    const title = name === 'it' || name === 'test' || name === 'describe' ? textOf(given[0]) : null;
    if (words === null || title === null || given.length < 2) {
      for (const child of Object.values(value)) visit(child, groups, conditional);
      return;
    }
    if (isOff(words)) return;
    const may = conditional || isConditional(words);
    if (name !== 'describe') found.push({ file, path: [...groups, title], conditional: may });
    else for (const child of given.slice(1)) visit(child, [...groups, title], may);
  };
  visit(parsed(file, source), [], false);
  return found;
};

/** The tests of every `*.test.ts` below a folder. */
export const titlesBelow = (folder: string): readonly Title[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .toSorted()
    .flatMap((path) => titlesIn(path.replaceAll('\\', '/'), readFileSync(join(folder, path), 'utf8')));
