import { found } from '../../../schemas/found.ts';
import { limits } from '../../../schemas/vocabulary.ts';
import { isReference } from '../bodyReferences.ts';
import { type BookEntry, rule, ruledTypes } from '../book.ts';

/** Judged before everything else that reads a body: how many references there are, and whether one was sent twice. */
export const mergeRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-REF-02',
    types: ruledTypes,
    part: 'common',
    text: 'An artifact cites at most 256 references, those of its body included.',
    reads: ['sourceRefs'],
    refusal: 'invalid_arguments',
    ends: true,
    *check({ sourceRefs, submission }) {
      const room = submission.sourceRefs.length - (sourceRefs.length - limits.references);
      if (sourceRefs.length > limits.references)
        yield {
          path: 'source_refs',
          message: `The artifact cites ${sourceRefs.length} references; ${limits.references} is the limit.`,
          // What the body alone cites too much, no cut of source_refs mends.
          ...(room >= 0 && { expected: { maxItems: room } }),
          fix: 'Cite fewer sources: leave out of source_refs what the body cites, and of the body what proves nothing.',
        };
    },
  }),
  rule({
    code: 'ADM-REF-03',
    types: ruledTypes,
    part: 'common',
    text: 'source_refs names each reference once.',
    reads: [],
    refusal: 'invalid_arguments',
    ends: true,
    *check({ submission: { sourceRefs } }) {
      const seen = new Set<string>();
      for (const [index, ref] of sourceRefs.entries()) {
        if (seen.has(ref))
          yield {
            path: `source_refs.${index}`,
            message: `source_refs names ${found(ref)} more than once.`,
            expected: { absent: true },
            fix: 'Keep one of them.',
          };
        seen.add(ref);
      }
    },
  }),
];

/** The form of what was sent in source_refs. */
export const formRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-REF-01',
    types: ruledTypes,
    part: 'common',
    text: 'Each entry of source_refs is an artifact://, repo:// or trace:// reference of at most 2048 characters.',
    reads: [],
    refusal: 'invalid_arguments',
    *check({ submission: { sourceRefs } }) {
      for (const [index, ref] of sourceRefs.entries())
        if (!isReference(ref))
          yield {
            path: `source_refs.${index}`,
            message:
              ref.length > 2048
                ? `source_refs.${index} has ${ref.length} characters; 2048 is the limit.`
                : `${found(ref)} is no reference: it must begin with artifact://, repo:// or trace:// and hold no blank, "?", "#" or bracket.`,
            expected: { absent: true },
            fix: 'Copy a reference that the next action or a receipt names, or take the entry out.',
          };
    },
  }),
];
