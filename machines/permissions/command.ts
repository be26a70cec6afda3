import type { CommandFault } from '../../schemas/permissions.ts';
import { everything } from './permissionSet.ts';
import { hasHiddenCharacter } from './text.ts';

const maximumLength = 2048;

/** Any blank but U+0020. */
const otherBlank = /[^\S ]/u;

/** Full-width forms of ASCII and signs, and characters that look blank without being white space. */
const confusable = /[\uff00-\uff65\uffa0\uffe0-\uffee\u2800\u3164]/u;

const metacharacter = /[;&|<>`$(){}\\*?[\]]/u;
/** `~` where some shell expands it to a home directory. */
const homeSign = /(?:^|[ '"=:])~/u;
/** A comment, a negation or a history reference at the start of a word. */
const wordSign = /(?:^| )[#!]/u;
/** A variable as the Windows command shell expands it, with its substring and replacement forms. */
const percentName = /%[A-Za-z_][A-Za-z0-9_]*(?::[^%]*)?%/u;

const assignment = /^[A-Za-z_][A-Za-z0-9_]*\+?=/u;

/** Programs that take another program or code as their argument, or raise authority. */
const launchers = new Set([
  'eval',
  'exec',
  'source',
  '.',
  'sudo',
  'su',
  'doas',
  'env',
  'xargs',
  'command',
  'builtin',
  'nohup',
  'sh',
  'bash',
  'dash',
  'zsh',
  'ksh',
  'fish',
  'pwsh',
  'powershell',
  'cmd',
]);

/** The first word with its quotes taken off, or null when a quote stays open somewhere in the text. */
const firstWord = (text: string): string | null => {
  let quote: string | null = null;
  let word = '';
  let ended = false;
  for (const character of text) {
    if (quote === null && character === ' ') ended = true;
    else if (quote === null && (character === '"' || character === "'")) quote = character;
    else if (character === quote) quote = null;
    else if (!ended) word += character;
  }
  return quote === null ? word : null;
};

/** Names compare in lower case, since some file systems find `SH` where `sh` is. */
const programName = (word: string): string => {
  const base = word.slice(word.lastIndexOf('/') + 1).toLowerCase();
  return base.endsWith('.exe') ? base.slice(0, -'.exe'.length) : base;
};

/**
 * The first reason why a text cannot be requested as one exact command, or null. Quoting disarms nothing: hosts quote
 * differently, and the user approves a string, not a parse. Rule: permissions section 7.
 */
export const requestFault = (text: string): Exclude<CommandFault, 'command_placeholder'> | null => {
  if (text.length < 1 || text.length > maximumLength) return 'command_length';
  if (hasHiddenCharacter(text) || otherBlank.test(text)) return 'command_control_character';
  if (text.startsWith(' ') || text.endsWith(' ')) return 'command_whitespace';
  if (confusable.test(text)) return 'command_confusable';
  if (metacharacter.test(text) || homeSign.test(text) || wordSign.test(text) || percentName.test(text))
    return 'command_compound';
  const word = firstWord(text);
  if (word === null) return 'command_unbalanced_quote';
  if (assignment.test(text)) return 'command_assignment';
  return launchers.has(programName(word)) ? 'command_launcher' : null;
};

/** The first reason why a text cannot stand in an allow-list of commands, or null. Rule: permissions section 7. */
export const entryFault = (text: string): CommandFault | null =>
  text === 'authorized' || text === everything ? 'command_placeholder' : requestFault(text);

const reasons: Readonly<Record<CommandFault, string>> = {
  command_placeholder: 'it is a placeholder, not a command',
  command_length: `it must have between 1 and ${maximumLength} characters`,
  command_control_character: 'it holds a control, invisible or non-ASCII blank character',
  command_whitespace: 'it begins or ends with a blank',
  command_confusable: 'it holds a character that looks like an ASCII sign and is none',
  command_compound: 'it holds a character that a shell could expand or use to join commands',
  command_unbalanced_quote: 'one of its quotes stays open',
  command_assignment: 'it begins with a variable assignment',
  command_launcher: 'its first word starts other programs or runs code',
};

/** Why an entry is refused, as the second half of a sentence. */
export const commandReason = (fault: CommandFault): string => reasons[fault];

/** Whether the request equals a well-formed entry of the list, character for character. */
export const isListedCommand = (request: string, list: readonly string[]): boolean =>
  entryFault(request) === null && list.includes(request);
