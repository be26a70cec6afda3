import type { EvidenceKind } from '../../../schemas/artifacts/evidence.ts';
import type { FileChange } from '../../../schemas/artifacts/execution.ts';
import type { ActionCapability, VerificationCapability } from '../../../schemas/vocabulary.ts';
import type { RunReader } from '../runReader.ts';
import type { Stand } from './stand.ts';

/** One act in the world: an allowed action that was really carried out, and what it showed. */
export interface Look {
  readonly capability: ActionCapability;
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

/** How a file was changed; the diff is the content of the look that tells of it. */
export type Change = Omit<FileChange, 'diffRef'>;

/** An act whose output was captured. */
export interface Captured extends Pick<Look, 'capability' | 'target' | 'finding'> {
  readonly evidenceRef: string;
  readonly change?: Change;
}

/** Carries out what a capability allows for this run; gives at least one look. */
export type Inspect = (capability: VerificationCapability, stand: Stand, reader: RunReader) => Promise<readonly Look[]>;

/** Makes the change that the run is for, and reads the changed file again. */
export type MakeChange = (stand: Stand) => Promise<Readonly<{ change: Change; written: Look; readBack: Look }>>;
