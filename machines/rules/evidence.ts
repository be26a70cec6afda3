import { found } from '../../schemas/found.ts';
import { limits } from '../../schemas/vocabulary.ts';
import { parseArtifactUri } from '../record.ts';
import { findSecret } from '../secrets/content.ts';
import { pathOf, stringsIn } from './bodyReferences.ts';
import { type BookEntry, rule } from './book.ts';
import { lineageFault } from './lineage.ts';

/** Rules of Evidence (admission section 8.4); EVID-01 stands with the token, EVID-07 and -08 with the ledger. */

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The bytes of canonical base64 text, or null: groups of four, right padding, and encoding again gives the same text. */
const decoded = (content: string): Buffer | null => {
  if (!base64.test(content)) return null;
  const bytes = Buffer.from(content, 'base64');
  return bytes.toString('base64') === content ? bytes : null;
};

/** Where a text that looks like a credential stands, and the name of the pattern; never the text itself. */
export interface SecretPlace {
  readonly path: string;
  readonly pattern: string;
}

/** Every string of a JSON value that looks like a credential. */
export const secretsIn = (value: unknown): readonly SecretPlace[] => {
  const places: SecretPlace[] = [];
  for (const { steps, text } of stringsIn(value)) {
    const secret = findSecret(text);
    if (secret) places.push({ path: pathOf(steps), pattern: secret.rule });
  }
  return places;
};

export const evidenceRules: readonly BookEntry[] = [
  rule({
    code: 'ADM-EVID-02',
    types: ['Evidence'],
    part: 'own',
    text: 'Evidence comes from the executor, and its metadata are those of its body; the server derives them.',
    reads: [],
    refusal: 'rule_broken',
  }),
  rule({
    code: 'ADM-EVID-03',
    types: ['Evidence'],
    part: 'own',
    text: 'Content in base64 is canonical: groups of four, right padding, no blanks, nothing left over.',
    reads: [],
    refusal: 'rule_broken',
    *check({ body: { encoding, content } }) {
      if (encoding === 'base64' && decoded(content) === null)
        yield {
          path: 'content',
          message: `encoding is base64, but content (${content.length} characters) is not canonical base64.`,
          fix: 'Encode the bytes again without line breaks, with padding; for text, set encoding to utf8 and send it plain.',
        };
    },
  }),
  rule({
    code: 'ADM-EVID-04',
    types: ['Evidence'],
    part: 'own',
    text: 'Decoded content has at most 2097152 bytes.',
    reads: [],
    refusal: 'quota_exceeded',
    *check({ body: { encoding, content } }) {
      const bytes = encoding === 'base64' ? (decoded(content)?.length ?? 0) : Buffer.byteLength(content, 'utf8');
      if (bytes > limits.bodyBytes)
        yield {
          path: 'content',
          message: `The content has ${bytes} bytes; ${limits.bodyBytes} is the limit.`,
          expected: { maxBytes: limits.bodyBytes },
          fix: 'Capture the part that shows the point.',
        };
    },
  }),
  rule({
    code: 'ADM-EVID-05',
    types: ['Evidence'],
    part: 'own',
    text: 'Neither the body, nor its decoded content, nor source_refs hold anything that looks like a credential.',
    reads: ['sourceRefs'],
    refusal: 'secret_detected',
    *check({ body, submission }) {
      const plain = body.encoding === 'base64' ? decoded(body.content)?.toString('utf8') : undefined;
      const inBody = secretsIn(body);
      const inContent = plain === undefined ? [] : secretsIn({ content: plain });
      const inSources = secretsIn({ source_refs: submission.sourceRefs });
      for (const { path, pattern } of [...inBody, ...inContent, ...inSources])
        yield {
          path,
          message: `${path} seems to hold a credential (pattern ${pattern}).`,
          fix: 'Replace the secret by a mark such as [redacted], say so in redactions, and submit again.',
        };
    },
  }),
  rule({
    code: 'ADM-EVID-06',
    types: ['Evidence'],
    part: 'own',
    text: 'The artifacts that Evidence names as its sources belong to this run.',
    reads: ['artifacts'],
    refusal: 'rule_broken',
    *check(query) {
      for (const [index, ref] of query.body.sourceRefs.entries()) {
        const runId = parseArtifactUri(ref)?.runId;
        // Everything else that is wrong with the reference was said by the reference rules.
        if (runId === undefined || runId === query.run.runId || lineageFault(query, ref) !== null) continue;
        yield {
          path: `sourceRefs.${index}`,
          message: `${found(ref)} belongs to the linked run; Evidence names sources of its own run.`,
          expected: { absent: true },
          fix: 'Take it out of the Evidence and cite the earlier Evidence where you draw the conclusion.',
        };
      }
    },
  }),
];
