import { found } from '../../schemas/found.ts';
import { type ActionCapability, actionCapabilities } from '../../schemas/vocabulary.ts';
import type { Artifact } from '../record.ts';
import { valueAt } from './bodyReferences.ts';
import { type BookEntry, type Query, type RuleCode, rule } from './book.ts';
import { type Citation, citationsOf } from './citations.ts';
import { evidenceOf } from './sources.ts';
import { choice } from './wording.ts';

/** What kind of Evidence proves what (admission section 3.3), judged after the type's own rules. */

type Kind = Artifact<'Evidence'>['body']['kind'];

const judged = ['WorkResult', 'QualityReview', 'ReleaseAudit', 'UserReport'] as const;

const ofCapability: Readonly<Record<ActionCapability, readonly Kind[]>> = {
  'repository.read': ['repository', 'diff', 'tool_output'],
  'repository.write': ['diff'],
  'repository.delete': ['diff'],
  'shell.inspect': ['tool_output', 'log', 'test'],
  'shell.execute': ['tool_output', 'log', 'test'],
  'runtime.inspect': ['runtime', 'log', 'tool_output'],
  'runtime.restart': ['runtime', 'log', 'tool_output'],
  'browser.inspect': ['browser'],
  'browser.mutate': ['browser'],
  'network.read': ['tool_output'],
  'external.write': ['tool_output'],
  'subagent.spawn': ['tool_output'],
};

/** The kinds of Evidence that show an action of a capability; none for a word outside the vocabulary. */
export const kindsFor = (capability: unknown): readonly Kind[] => {
  const known = actionCapabilities.find((name) => name === capability);
  return known ? ofCapability[known] : [];
};

/** References in fields that must be backed by what was captured, whose target can be read. */
const proven = (query: Query): readonly Citation[] => citationsOf(query).filter(({ role }) => role === 'direct');

const evidenceAt = ({ place }: Citation): Artifact<'Evidence'> | null => {
  const target = place.kind === 'own' || place.kind === 'foreign' ? place.target : undefined;
  return target?.type === 'Evidence' ? target : null;
};

const kindRule = (
  code: RuleCode,
  text: string,
  reads: readonly string[],
  allowed: (citation: Citation, query: Query) => readonly Kind[] | null,
): BookEntry =>
  rule({
    code,
    types: judged,
    part: 'own',
    text,
    reads: ['Evidence', ...reads],
    refusal: 'reference_invalid',
    *check(query) {
      for (const citation of proven(query)) {
        const evidence = evidenceAt(citation);
        const kinds = evidence ? allowed(citation, query) : null;
        if (!evidence || !kinds || kinds.includes(evidence.body.kind)) continue;
        yield {
          path: citation.path,
          message: `${citation.pattern} cites ${found(citation.ref)}, Evidence of kind ${evidence.body.kind}, which does not fit; ${kinds.length > 0 ? `use ${kinds.join(', ')}` : 'no kind proves this capability'}.`,
          ...choice(evidenceOf(query.record, kinds)),
          fix:
            kinds.length > 0
              ? 'Cite Evidence of a fitting kind, or capture it while a work node executes.'
              : 'Take the reference out, or name a capability that was used.',
        };
      }
    },
  });

const beside = ({ steps }: Citation, query: Query, key: string): unknown =>
  valueAt(query.body, [...steps.slice(0, 2), key]);

export const evidenceKindRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-KIND-01',
    types: judged,
    part: 'own',
    text: 'A context document backs an observation or an inference of a WorkResult and nothing else.',
    reads: ['ContextDocument'],
    refusal: 'reference_invalid',
    *check(query) {
      const places = ['observations[].evidenceRefs[]', 'inferences[].evidenceRefs[]'];
      for (const { place, path, pattern, ref } of proven(query)) {
        if (place.kind !== 'own' || place.target?.type !== 'ContextDocument') continue;
        if (query.type === 'WorkResult' && places.includes(pattern)) continue;
        yield {
          path,
          message: `${found(ref)} is a context document: it shows what a file said, not what was done, and cannot stand at ${pattern}.`,
          ...choice(evidenceOf(query.record)),
          fix: 'Cite captured Evidence; a context document backs observations and inferences of a WorkResult alone.',
        };
      }
    },
  }),
  rule({
    code: 'ADM-KIND-02',
    types: judged,
    part: 'own',
    text: 'Stored Evidence has a kind.',
    reads: ['Evidence'],
    refusal: 'integrity_failed',
    ends: true,
    *check(query) {
      for (const citation of proven(query)) {
        const evidence = evidenceAt(citation);
        if (evidence && typeof valueAt(evidence.body, ['kind']) !== 'string')
          yield {
            path: citation.path,
            message: `The stored Evidence ${found(citation.ref)} has no kind; the ledger is damaged.`,
            fix: 'Let an operator check the ledger; the run can still be cancelled.',
          };
      }
    },
  }),
  kindRule('ADM-KIND-03', 'A changed file is shown by Evidence of kind diff.', [], ({ pattern }) =>
    pattern === 'filesChanged[].diffRef' ? ['diff'] : null,
  ),
  kindRule('ADM-KIND-04', 'The output of a test is Evidence of kind test, tool_output or log.', [], ({ pattern }) =>
    pattern === 'testResults[].outputRef' ? ['test', 'tool_output', 'log'] : null,
  ),
  kindRule('ADM-KIND-05', 'The command of a test is Evidence of kind tool_output, log or test.', [], ({ pattern }) =>
    pattern === 'testResults[].commandRef' ? ['tool_output', 'log', 'test'] : null,
  ),
  kindRule('ADM-KIND-06', 'An action is shown by Evidence of the kinds of its capability.', [], (citation, query) =>
    query.type === 'WorkResult' && citation.pattern === 'actions[].evidenceRefs[]'
      ? kindsFor(beside(citation, query, 'capability'))
      : null,
  ),
  kindRule(
    'ADM-KIND-07',
    'A verification is shown by Evidence of the kinds of its capability; a plan that stands for it is not asked.',
    [],
    (citation, query) =>
      citation.pattern === 'verificationResults[].evidenceRefs[]'
        ? kindsFor(beside(citation, query, 'capability'))
        : null,
  ),
  rule({
    code: 'ADM-KIND-08',
    types: judged,
    part: 'own',
    text: 'Every other field that must be backed takes Evidence of any kind; Evidence of the linked run is judged alike.',
    reads: ['Evidence'],
    refusal: 'reference_invalid',
  }),
];
