import type { Brief } from '../../schemas/brief.ts';
import type { RunRecord } from '../record.ts';

export type Source = Brief['sources'][number];

/** Manifest and documents are stored together and stay: what follows from them is worked out once. */
const known = new WeakMap<object, readonly Source[]>();

/**
 * The repository sources that were selected when the context was grounded, in the order of selection: the reference to
 * cite, the id of the document that holds the text (for `telic_get_artifact`), its size in bytes, and whether it binds
 * the work or is only content (guidance section 1).
 */
export const sourcesOf = (record: RunRecord): readonly Source[] => {
  const manifest = record.latest('ContextManifest');
  if (!manifest) return [];
  const before = known.get(manifest);
  if (before) return before;
  const documents = new Map(record.all('ContextDocument').map((document) => [document.body.repositoryRef, document]));
  const sources = manifest.body.candidates.flatMap((candidate): readonly Source[] => {
    if (candidate.decision !== 'selected') return [];
    const document = documents.get(candidate.ref);
    return [
      {
        ref: candidate.ref,
        document: document?.id ?? '',
        bytes: candidate.byteSize,
        trust: document?.body.trustKind === 'applicable_instruction' ? 'instruction' : 'content',
      },
    ];
  });
  known.set(manifest, sources);
  return sources;
};

/** The selected instruction files, each once: the rules that apply to the work. */
export const rulesOf = (record: RunRecord): readonly string[] => [
  ...new Set(
    sourcesOf(record)
      .filter(({ trust }) => trust === 'instruction')
      .map(({ ref }) => ref),
  ),
];
