import { shorten } from '../../../machines/sentence.ts';
import type { Followed, Step, TraceLine } from '../../sdk/index.ts';
import { quoted } from '../shellWord.ts';
import type { Terminal } from '../terminal.ts';
import { hostAdvice } from './hosts.ts';
import { paintFor } from './paint.ts';

/** What the tour says on the terminal; everything that may come from a repository is one plain line. */

const column = (text: string, width: number): string => shorten(text, width).padEnd(width);

export interface Narrator {
  opening(root: string, request: string, notes: readonly string[]): void;
  step(step: Step): void;
  report(followed: Followed): void;
  trace(lines: readonly TraceLine[]): void;
  closing(followed: Followed, stateDirectory: string, entry: string): void;
}

const idOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

type Group = readonly [TraceLine, ...TraceLine[]];

/** From so many on, events that differ in their number alone are told in one line. */
const many = 4;

/** The trace in order, long rows of like events taken together. */
const alike = (lines: readonly TraceLine[]): readonly Group[] => {
  const groups: [TraceLine, ...TraceLine[]][] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    const same =
      last && last[0].actor === line.actor && last[0].phase === line.phase && last[0].eventType === line.eventType;
    if (same) last.push(line);
    else groups.push([line]);
  }
  return groups.flatMap((group): Group[] => (group.length >= many ? [group] : group.map((line): Group => [line])));
};

const numbersOf = (group: Group): string => {
  const [first] = group;
  const last = group.at(-1) ?? first;
  return group.length === 1 ? `${first.sequence}` : `${first.sequence}-${last.sequence}`;
};

export const narratorFor = (terminal: Terminal): Narrator => {
  const paint = paintFor(terminal);
  const say = (line = ''): void => terminal.out(`${line}\n`);
  const heading = (text: string): void => {
    say();
    say(paint.strong(text));
  };

  return {
    opening: (root, request, notes) => {
      say(paint.strong('Telic tour: one governed run, over a real MCP connection'));
      say(`repository  ${shorten(root, 200)}`);
      say(`request     ${shorten(request, 200)}`);
      say('mode        analyze_only: nothing in the repository is changed');
      say('author      a script in place of a model: it gathers facts with their evidence and judges nothing');
      for (const note of notes) say(`note        ${note}`);
      heading('Steps');
      say(
        paint.faint(`${column('phase', 26)}${column('role', 20)}${column('artifact', 18)}${column('id', 28)}version`),
      );
    },
    step: ({ kind, phase, role, artifactType, artifactId, version }) => {
      if (kind === 'ended') return;
      const what = artifactType ?? kind;
      say(
        `${column(phase, 26)}${column(role ?? '', 20)}${column(what, 18)}${column(artifactId ?? '', 27)} ${
          kind === 'supported' ? paint.faint(`${version}`) : version
        }`,
      );
    },
    report: ({ terminal: { status }, report }) => {
      heading(`Report: ${status === 'completed' ? paint.good(status) : paint.bad(status)}`);
      for (const claim of report?.completionClaims ?? []) {
        say(`- ${shorten(claim.text)}`);
        say(paint.faint(`  evidence: ${claim.evidenceRefs.map(idOf).join(', ')}`));
      }
      for (const risk of report?.unresolvedRisks ?? []) say(`- open: ${shorten(risk)}`);
      if (report) say(`permissions honoured: ${report.permissionsHonored ? 'yes' : 'no'}`);
    },
    trace: (lines) => {
      heading('Trace');
      say(paint.faint(`${column('#', 8)}${column('actor', 20)}${column('phase', 26)}${column('event', 22)}output`));
      for (const group of alike(lines)) {
        const [{ actor, phase, eventType }] = group;
        const outputs = group.flatMap(({ outputRefs }) => outputRefs.map(idOf));
        say(
          `${column(numbersOf(group), 8)}${column(actor, 20)}${column(phase, 26)}${column(eventType, 22)}${
            group.length > 1 ? `${outputs.length} artifacts` : shorten(outputs.join(', '), 40)
          }`,
        );
      }
    },
    closing: ({ runId, run, terminal: { reportRef } }, stateDirectory, entry) => {
      const root = run.repositoryRoot;
      heading('Ledger');
      say(`The run ${runId} is kept in`);
      say(`  ${stateDirectory}`);
      say('Read it again with');
      const report = reportRef === null ? [] : [`artifact ${runId} ${idOf(reportRef)}`];
      for (const words of [`status ${runId}`, `trace ${runId}`, ...report])
        say(paint.faint(`  ${quoted(process.execPath)} ${quoted(entry)} ${words} --repo ${quoted(root)}`));
      heading('Add Telic to your coding agent');
      for (const { host, how, text } of hostAdvice(process.execPath, entry)) {
        say(`${host}: ${how}`);
        for (const line of text.split('\n')) say(paint.faint(`  ${line}`));
      }
    },
  };
};
