import { Stage } from '../../schemas/artifacts/shared.ts';
import { found } from '../../schemas/found.ts';
import { limits } from '../../schemas/vocabulary.ts';
import { type AnyArtifact, type Artifact, parseArtifactUri, uriOf } from '../record.ts';
import { mergedReferences } from './bodyReferences.ts';
import { type BookEntry, type Query, rule, type Said } from './book.ts';
import { originalRequestRef } from './derived.ts';
import { selectedSources } from './sources.ts';
import { contextOf } from './taskContract.ts';
import { choice, listed } from './wording.ts';

/** Rules of the ProblemFrame (admission section 5), in the order of its rows. */

type Fact = Artifact<'ProblemFrame'>['body']['knownFacts'][number];
type Kind = Artifact<'Evidence'>['body']['kind'];

/** The artifact that a fact names, of this run or of the linked one. */
const sourceOf = (query: Query, { sourceRef }: Fact): AnyArtifact | undefined => {
  const parsed = parseArtifactUri(sourceRef);
  if (!parsed) return undefined;
  if (parsed.runId === query.run.runId) return query.record.get(parsed.id);
  const { prior } = query.record;
  return prior?.runId === parsed.runId ? prior.get(parsed.id) : undefined;
};

/** What captured evidence a provenance rests on; null for what needs none. */
const kindsOf: Readonly<Record<Fact['provenance'], readonly Kind[] | null>> = {
  user: null,
  repository: null,
  runtime: ['runtime', 'log'],
  browser: ['browser'],
  tool: ['tool_output', 'test', 'diff'],
};

/** Unknowns that only the user can settle keep `clarification.required` true (SCH-FRAME-02). */
const needsAnswer: readonly string[] = ['user_owned_materially_divergent', 'permission_expanding'];

const openQuestions = ({ unknowns }: Query<'ProblemFrame'>['body']): readonly string[] =>
  unknowns.filter(({ classification }) => needsAnswer.includes(classification)).map(({ id }) => id);

/** With a question open, there is more to mend than one field. */
const unasked = (open: readonly string[]): Readonly<{ expected?: unknown }> =>
  open.length > 0 ? {} : { expected: { required: false, reason: null } };

/**
 * What keeps every contract from satisfying a frame, whatever the authority of the run. Repeated rules are no reason, for
 * CONTRACT-07 asks for each once; nor are stages outside `analyze_and_fix`, where no rule compares them. What authority
 * alone forbids is none either: the user may still be asked for it (guidance section 3).
 */
function* contractFaults({ body, record, run }: Query<'ProblemFrame'>): Generator<Said> {
  const path = 'draftAcceptanceCriteria';
  const criteria = body.draftAcceptanceCriteria;
  const missing = Stage.options.filter((stage) => !criteria.some((criterion) => criterion.stage === stage));
  if (criteria.length === 0)
    yield {
      path,
      message: 'No contract can satisfy this frame: it has no draft acceptance criterion, and a contract repeats them.',
      fix: 'Add at least one criterion that shows the request is met.',
    };
  if (run.mode === 'analyze_and_fix' && missing.length > 0)
    yield {
      path,
      message: `No contract can satisfy this frame: analyze_and_fix needs criteria of both stages, and none has stage ${missing.join(' or ')}.`,
      fix: `Add a criterion of stage ${missing.join(' and one of stage ')}.`,
    };
  const sources = contextOf(body);
  const cited = mergedReferences(
    record,
    { originalRequestRef: body.originalRequestRef, contextRefs: sources, ruleRefs: body.applicableRuleRefs },
    [],
  );
  // The contract cites the frame, too (CONTRACT-02), and one artifact cites no more than 256 references (REF-02).
  const count = Math.max(sources.length, cited.length + 1);
  if (count > limits.references)
    yield {
      path: 'knownFacts',
      message: `No contract can satisfy this frame: it would have to cite ${count} references (the frame, the request, each rule and source), and ${limits.references} is the limit.`,
      fix: 'Rest facts and inferences on fewer sources.',
    };
}

export const problemFrameRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-FRAME-01',
    types: ['ProblemFrame'],
    part: 'own',
    text: 'A micro run takes exactly one draft acceptance criterion.',
    reads: ['run.topology'],
    refusal: 'rule_broken',
    *check({ body, run }) {
      const count = body.draftAcceptanceCriteria.length;
      if (run.topology === 'micro' && count !== 1)
        yield {
          path: 'draftAcceptanceCriteria',
          message: `This run is micro and takes exactly one draft acceptance criterion; there are ${count}.`,
          ...(count > 1 && { expected: { maxItems: 1 } }),
          fix: count === 0 ? 'Add the one criterion that shows the request is met.' : 'Keep the one that matters most.',
        };
    },
  }),
  rule({
    code: 'ADM-FRAME-02',
    types: ['ProblemFrame'],
    part: 'own',
    text: 'A micro run takes at most three known facts.',
    reads: ['run.topology'],
    refusal: 'rule_broken',
    *check({ body, run }) {
      const count = body.knownFacts.length;
      if (run.topology === 'micro' && count > 3)
        yield {
          path: 'knownFacts',
          message: `This run is micro and takes at most three known facts; there are ${count}.`,
          expected: { maxItems: 3 },
          fix: 'Keep the three that the criterion rests on.',
        };
    },
  }),
  rule({
    code: 'ADM-FRAME-03',
    types: ['ProblemFrame'],
    part: 'own',
    text: 'The frame of a micro run requires no clarification; a question is asked with a ClarificationRequest.',
    reads: ['run.topology'],
    refusal: 'rule_broken',
    *check({ body, run }) {
      if (run.topology === 'micro' && body.clarification.required)
        yield {
          path: 'clarification',
          message: 'clarification.required is true; the frame of a micro run cannot require a clarification.',
          ...unasked(openQuestions(body)),
          fix: 'Submit a ClarificationRequest first, or classify the unknown as one that needs no answer of the user.',
        };
    },
  }),
  rule({
    code: 'ADM-FRAME-04',
    types: ['ProblemFrame'],
    part: 'own',
    text: 'intentMode is the mode of the run.',
    reads: ['run.mode'],
    refusal: 'rule_broken',
    *check({ body, run }) {
      if (body.intentMode !== run.mode)
        yield {
          path: 'intentMode',
          message: `intentMode is ${found(body.intentMode)}; this run was started as "${run.mode}".`,
          expected: run.mode,
          fix: `Set intentMode to "${run.mode}"; another mode needs another run.`,
        };
    },
  }),
  rule({
    code: 'ADM-FRAME-05',
    types: ['ProblemFrame'],
    part: 'own',
    text: 'originalRequestRef is the stored request of the run.',
    reads: ['RunEnvelope'],
    refusal: 'rule_broken',
    *check({ body, record }) {
      const expected = originalRequestRef(record);
      if (body.originalRequestRef !== expected)
        yield {
          path: 'originalRequestRef',
          message: `originalRequestRef is ${found(body.originalRequestRef)}; the request of this run is ${found(expected)}.`,
          ...(expected === undefined ? {} : { expected }),
          fix: 'Cite the request of this run.',
        };
    },
  }),
  rule({
    code: 'ADM-FRAME-06',
    types: ['ProblemFrame'],
    part: 'own',
    text: 'A fact from the user cites a message that the user wrote.',
    reads: ['UserMessage'],
    refusal: 'rule_broken',
    *check(query) {
      const messages = query.record.all('UserMessage').filter(({ producer }) => producer === 'user');
      const allowed = messages.map(uriOf);
      for (const [index, fact] of query.body.knownFacts.entries())
        if (fact.provenance === 'user' && !allowed.includes(fact.sourceRef))
          yield {
            path: `knownFacts.${index}.sourceRef`,
            message: `knownFacts.${index} is said by the user, but ${found(fact.sourceRef)} is no message of the user.`,
            ...choice(allowed),
            fix: 'Cite the message in which the user says so, or name the provenance that it really has.',
          };
    },
  }),
  rule({
    code: 'ADM-FRAME-07',
    types: ['ProblemFrame'],
    part: 'own',
    text: 'A fact from the repository cites a selected source, or the stored document of one.',
    reads: ['ContextManifest', 'ContextDocument'],
    refusal: 'rule_broken',
    *check(query) {
      for (const [index, fact] of query.body.knownFacts.entries()) {
        if (fact.provenance !== 'repository' || fact.sourceRef.startsWith('repo://')) continue;
        if (sourceOf(query, fact)?.type === 'ContextDocument') continue;
        yield {
          path: `knownFacts.${index}.sourceRef`,
          message: `knownFacts.${index} comes from the repository, but ${found(fact.sourceRef)} is no repository source.`,
          ...choice([...selectedSources(query.record)].slice(0, 16)),
          fix: 'Cite a selected repo:// source, or name the provenance that the fact really has.',
        };
      }
    },
  }),
  rule({
    code: 'ADM-FRAME-08',
    types: ['ProblemFrame'],
    part: 'own',
    text: 'A fact from runtime, browser or tool cites Evidence of a fitting kind, of this run or the linked one.',
    reads: ['Evidence', 'prior run'],
    refusal: 'rule_broken',
    *check(query) {
      for (const [index, fact] of query.body.knownFacts.entries()) {
        const kinds = kindsOf[fact.provenance];
        if (!kinds) continue;
        const source = sourceOf(query, fact);
        if (source?.type === 'Evidence' && kinds.includes(source.body.kind)) continue;
        const what =
          source?.type === 'Evidence' ? `Evidence of kind ${source.body.kind}` : (source?.type ?? 'no Evidence');
        yield {
          path: `knownFacts.${index}.sourceRef`,
          message: `knownFacts.${index} claims ${fact.provenance} provenance, which rests on Evidence of kind ${kinds.join(', ')}; ${found(fact.sourceRef)} is ${what}.`,
          fix: query.run.priorRunId
            ? 'Cite such Evidence of the linked run, or state the claim as an inference or an unknown.'
            : 'Nothing is captured before execution: state the claim as an inference or an unknown, or cite user or repository.',
        };
      }
    },
  }),
  rule({
    code: 'ADM-FRAME-09',
    types: ['ProblemFrame'],
    part: 'own',
    text: 'A frame is submitted when nothing is left to ask: clarification.required is false.',
    reads: [],
    refusal: 'rule_broken',
    *check({ body, run }) {
      // In a micro run FRAME-03 says the same.
      if (!body.clarification.required || run.topology === 'micro') return;
      const open = openQuestions(body);
      yield {
        path: 'clarification',
        message:
          open.length > 0
            ? `clarification.required is true, as the classes of the unknowns ${listed(open)} demand; a frame is taken only once nothing is left to ask.`
            : 'clarification.required is true; a frame is taken only once nothing is left to ask.',
        ...unasked(open),
        fix:
          open.length > 0
            ? 'Submit a ClarificationRequest; after the answer send the frame with required false and these unknowns turned into facts or classified discoverable, bounded_reversible or irrelevant.'
            : 'Submit a ClarificationRequest, or set required to false.',
      };
    },
  }),
  rule({
    code: 'ADM-FRAME-10',
    types: ['ProblemFrame'],
    part: 'own',
    text: 'Each known fact names its source.',
    reads: [],
    refusal: 'integrity_failed',
    ends: true,
    *check({ body }) {
      for (const [index, { sourceRef }] of body.knownFacts.entries())
        if (typeof sourceRef !== 'string')
          yield {
            path: `knownFacts.${index}.sourceRef`,
            message: `knownFacts.${index} has no sourceRef.`,
            fix: 'Name the source of the fact.',
          };
    },
  }),
  rule({
    code: 'ADM-FRAME-11',
    types: ['ProblemFrame'],
    part: 'own',
    text: 'Some contract can satisfy the frame: it has a draft criterion, in analyze_and_fix one of each stage, and not more sources than a contract can cite.',
    reads: ['run.mode', 'run.topology'],
    refusal: 'infeasible',
    // A micro run has its contract written by the controller; FRAME-01 judges its criteria.
    check: (query) => (query.run.topology === 'micro' ? [] : contractFaults(query)),
  }),
];
