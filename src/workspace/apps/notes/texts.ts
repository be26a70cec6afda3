import { wireLimits } from '../../../../schemas/wire/limits.ts';
import { utf8Bytes } from '../../../../schemas/wire/path.ts';
import type { PlanContext } from '../app.ts';

/** UTF-8 bytes of a block's text and of a page's title: the title must fit into one segment of a path. */
export const noteLimits = { text: 64 * 1024, title: wireLimits.segmentBytes } as const;

const cut = (text: string, bytes: number): string => {
  if (utf8Bytes(text) <= bytes) return text;
  let short = '';
  let room = bytes - utf8Bytes('…');
  for (const character of text) {
    room -= utf8Bytes(character);
    if (room < 0) break;
    short += character;
  }
  return `${short}…`;
};

/** What lists call a block: its text, as far as a path could hold it. */
export const nameOf = (text: string): string => cut(text, wireLimits.segmentBytes);

/** A text within a sentence of history or a message: one line, not too long. */
export const brief = (text: string): string => cut(text.replace(/\s+/gu, ' ').trim(), 200);

/** The same in quotation marks. */
export const quoted = (text: string): string => `"${brief(text)}"`;

/** Refuses a text that is too long. */
export const checkLength = (ctx: PlanContext, action: string, what: keyof typeof noteLimits, text: string): void => {
  if (utf8Bytes(text) <= noteLimits[what]) return;
  ctx.fail('limit_exceeded', `The ${what} of a note has at most ${noteLimits[what]} bytes.`, [
    ['tilo_do ', { path: `${ctx.resource.path}#${action}` }, ` takes a shorter ${what}`],
  ]);
};
