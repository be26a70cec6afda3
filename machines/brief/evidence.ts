import { EvidenceKind } from '../../schemas/artifacts/evidence.ts';
import { pendingNode } from '../rules/derived.ts';
import { kindsFor } from '../rules/evidenceKinds.ts';
import { evidenceLeft } from '../rules/ledgerRules.ts';
import { capturedFor, refsFor } from './captured.ts';
import { choice, type Draft, headOf, rationale, type Stand, text } from './draft.ts';

/** 32,768 bytes are the limit, and a character takes at most three for each of its units. */
const longestContent = 10_000;

/** Kinds that show what the node must show and lacks, then those that show anything it must, then the rest. */
const kindsNow = ({ record }: Stand): readonly EvidenceKind[] => {
  const captured = capturedFor(record);
  const required = pendingNode(record)?.requiredCapabilities ?? [];
  const lacking = required.filter((capability) => refsFor(captured, capability).length === 0);
  return [...new Set([...[...lacking, ...required].flatMap(kindsFor), ...EvidenceKind.options])];
};

/**
 * The draft of Evidence for the node whose turn it is (guidance section 1, admission section 8.4). Null when none is
 * taken: no node waits, or the plan has all that it may have.
 */
export const draftOfEvidence = (stand: Stand): Draft | null => {
  const { run, record } = stand;
  if (run.phase !== 'agent_4_execute' || !pendingNode(record) || evidenceLeft(record) === 0) return null;
  return {
    body: {
      ...headOf(stand, 'evidence'),
      kind: null,
      capturedAt: run.updatedAt,
      summary: '',
      contentType: null,
      encoding: 'utf8',
      content: '',
      sourceRefs: [],
      redactions: [],
      rationaleSummary: '',
    },
    blanks: [
      choice('kind', 'What it is; the first ones are still missing.', kindsNow(stand)),
      choice('contentType', '', ['text/plain', 'text/x-diff', 'text/html', 'application/json']),
      text(
        'content',
        'What you saw, word for word; a secret as [redacted], told in redactions. Set capturedAt to its time.',
        {
          maximum: longestContent,
        },
      ),
      text('summary', 'What it shows.'),
      rationale(),
    ],
    variants: [],
  };
};
