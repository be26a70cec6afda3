import { z } from 'zod';
import { rule, withRules } from '../bodyRules.ts';
import { head, RepoUri, Sha256, str } from '../primitives.ts';
import { ByteCount } from './controller.ts';

/** Two bodies that only the server writes (artifacts section 10). */

export const TrustKind = z.enum(['applicable_instruction', 'untrusted_repository_content']);
export type TrustKind = z.infer<typeof TrustKind>;

const UserMessageFields = z.strictObject({ ...head, content: str(1, 32_768) });
export const userMessageRules = [
  rule<z.output<typeof UserMessageFields>>(
    'SCH-MSG-01',
    ['content'],
    'A message says something.',
    'Send a message that is not blank.',
    ({ content }) => content.trim() === '' && 'content is blank',
  ),
];
export const UserMessage = withRules(UserMessageFields, userMessageRules);
export type UserMessage = z.infer<typeof UserMessage>;

const ContextDocumentFields = z.strictObject({
  ...head,
  repositoryRef: RepoUri,
  contentHash: Sha256,
  sizeBytes: ByteCount,
  trustKind: TrustKind,
  instructionScope: str(1, 1024).nullable(),
  content: str(0, 100_000_000),
});
type Document = z.output<typeof ContextDocumentFields>;

/** A document of another producer may leave the byte-order mark out of its content; grounding keeps it. */
const byteOrderMark = 3;
const contentBytes = ({ content }: Document): number => Buffer.byteLength(content, 'utf8');

export const contextDocumentRules = [
  rule<Document>(
    'SCH-DOC-01',
    ['instructionScope'],
    'An instruction file has a scope, any other file has none.',
    'Name the directory of the rule file ("." at the root), or set null for other files.',
    ({ trustKind, instructionScope }) =>
      (trustKind === 'applicable_instruction') !== (instructionScope !== null) &&
      `trustKind is "${trustKind}" and instructionScope is ${instructionScope === null ? 'null' : `"${instructionScope}"`}`,
  ),
  rule<Document>(
    'SCH-DOC-02',
    ['sizeBytes'],
    'sizeBytes is the length of the file in bytes.',
    'Write the bytes of the content, three more where the file begins with a byte-order mark.',
    (body) =>
      body.sizeBytes !== contentBytes(body) &&
      body.sizeBytes !== contentBytes(body) + byteOrderMark &&
      `sizeBytes is ${body.sizeBytes}, the content has ${contentBytes(body)} bytes`,
    contentBytes,
  ),
] as const;

export const ContextDocument = withRules(ContextDocumentFields, contextDocumentRules);
export type ContextDocument = z.infer<typeof ContextDocument>;
