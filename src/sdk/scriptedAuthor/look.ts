import type { EvidenceKind } from '../../../schemas/artifacts/evidence.ts';
import type { VerificationCapability } from '../../../schemas/vocabulary.ts';
import type { RunReader } from '../runReader.ts';
import type { Stand } from './stand.ts';

/** One look at the world: an allowed action that was really carried out, and what it showed. */
export interface Look {
  readonly capability: VerificationCapability;
  /** The target as the permission rules know it: a path, or the name of an inspection. */
  readonly target: string;
  readonly kind: EvidenceKind;
  readonly contentType: string;
  /** What the tool gave, at least one character. */
  readonly content: string;
  /** What it shows, in a sentence that the content bears out. */
  readonly finding: string;
  /** Where it comes from, beside the act itself. */
  readonly sourceRefs: readonly string[];
  /** When, ISO 8601. */
  readonly at: string;
}

/** A look whose output was captured. */
export interface Captured extends Pick<Look, 'capability' | 'target' | 'finding'> {
  readonly evidenceRef: string;
}

/** Carries out what a capability allows for this run; gives at least one look. */
export type Inspect = (capability: VerificationCapability, stand: Stand, reader: RunReader) => Promise<readonly Look[]>;
