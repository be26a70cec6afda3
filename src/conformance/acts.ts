import { pendingNode } from '../../machines/rules/derived.ts';
import { digestOfText } from '../../schemas/canonical.ts';
import type { Change, Look } from '../sdk/scriptedAuthor/look.ts';
import type { Stand } from '../sdk/scriptedAuthor/stand.ts';
import { repositoryFiles } from './world.ts';

/**
 * What the executor brings back for a node. Nothing is run and nothing is written: a server has only the words of its host,
 * so fixed words serve it as well as an act, and make every run alike.
 */
export type Act = Readonly<{ look: Look; change?: Change }>;

const path = 'README.md';
const before = repositoryFiles[path] ?? '';
const line = 'One line more.';
const at = '2026-01-01T00:00:00.000Z';

const looked = (over: Omit<Look, 'sourceRefs' | 'at'>): Look => ({ ...over, sourceRefs: [], at });

const reading = (content: string, finding: string): Look =>
  looked({
    capability: 'repository.read',
    target: path,
    kind: 'repository',
    contentType: 'text/plain',
    content,
    finding,
  });

const inspection = looked({
  capability: 'shell.inspect',
  target: 'git.status',
  kind: 'tool_output',
  contentType: 'text/plain',
  content: '## main\n',
  finding: 'git status: main; the working tree is clean.',
});

const writing: Act = {
  look: looked({
    capability: 'repository.write',
    target: path,
    kind: 'diff',
    contentType: 'text/x-diff',
    content: `--- a/${path}\n+++ b/${path}\n@@ -3,0 +4 @@\n+${line}\n`,
    finding: `${path} was changed: one line was added at its end.`,
  }),
  change: {
    path,
    changeType: 'modified',
    beforeHash: digestOfText(before),
    afterHash: digestOfText(`${before}${line}\n`),
  },
};

/** One act for each capability of the pending node; a change before what reads it again. */
export const actsFor = ({ record }: Stand): readonly Act[] => {
  const required = pendingNode(record)?.requiredCapabilities ?? [];
  const writes = required.includes('repository.write');
  return [
    ...(writes ? [writing] : []),
    ...(required.includes('repository.read')
      ? [
          {
            look: writes
              ? reading(`${before}${line}\n`, `${path} ends with “${line}”.`)
              : reading(before, `${path} begins with “# Sample”.`),
          },
        ]
      : []),
    ...(required.includes('shell.inspect') ? [{ look: inspection }] : []),
  ];
};
