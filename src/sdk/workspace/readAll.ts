import type { Reading } from '../../../schemas/wire/answers.ts';

/**
 * The text fields that were paged: those that differ from page to page. Where all pages say the same and brought no
 * children, some text repeats itself page for page, and it is the longest, for only long texts are paged.
 */
const pagedTexts = (pages: readonly Reading[]): readonly string[] => {
  const [first, ...rest] = pages;
  if (first === undefined || rest.length === 0) return [];
  const texts = Object.keys(first.fields).filter((name) =>
    pages.every(({ fields }) => typeof fields[name] === 'string'),
  );
  const differing = texts.filter((name) => rest.some(({ fields }) => fields[name] !== first.fields[name]));
  if (differing.length > 0 || rest.some(({ children }) => children.length > 0)) return differing;
  const length = (name: string): number => String(first.fields[name]).length;
  return texts.toSorted((one, other) => length(other) - length(one)).slice(0, 1);
};

/**
 * The pages of one resource as one reading: the children of all of them, paged texts put together, every other field as
 * the first page has it, and no cursor.
 */
export const joinPages = (first: Reading, rest: readonly Reading[]): Reading => {
  const pages = [first, ...rest];
  const texts = pagedTexts(pages).map((name) => [name, pages.map(({ fields }) => fields[name]).join('')]);
  const { cursor: _, ...whole } = first;
  return {
    ...whole,
    fields: { ...first.fields, ...Object.fromEntries(texts) },
    children: pages.flatMap(({ children }) => children),
  };
};
