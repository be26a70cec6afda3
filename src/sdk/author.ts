import type { RunView } from '../../machines/context.ts';
import type { BodyOf } from '../../schemas/artifacts/index.ts';
import type { SubmittedType } from '../../schemas/vocabulary.ts';
import type { BriefPart, PhaseStep, ShownBrief } from './answers.ts';
import type { RunReader } from './runReader.ts';

export type { BriefPart, ShownBrief } from './answers.ts';

/** An artifact to submit. The body carries its own `id`, `runId` and `schemaVersion`. */
export interface Product {
  readonly type: SubmittedType;
  readonly body: object;
  readonly sourceRefs?: readonly string[];
}

/** What an author is given for one phase. */
export interface Work {
  /** The one legal next action: role, inputs, schema, permissions, budgets. */
  readonly action: PhaseStep;
  readonly run: RunView;
  readonly reader: RunReader;
  /**
   * Stores a supporting artifact (Evidence, ScenarioSpec) at the current version.
   * @returns its reference
   * @throws RefusedError
   */
  support(product: Product): Promise<string>;
  /**
   * The brief of the phase as it stands now: it follows what was stored at this version. Where an answer has to be short,
   * it shows the strongest variant alone, no sources, and alternatives without their drafts; the parts that are asked for
   * are fetched, if they were left out.
   * @throws RefusedError
   */
  brief(parts: readonly BriefPart[]): Promise<ShownBrief>;
}

/** Writes the artifact that the action asks for, or one of its alternatives. */
export type Write = (work: Work) => Product | Promise<Product>;

/** One function for each artifact type that an action may require. */
export type Author = Readonly<Partial<Record<SubmittedType, Write>>> & {
  /** Asked before the driver grounds the run: a question to submit first, or null. */
  readonly beforeGrounding?: (work: Work) => Product | null | Promise<Product | null>;
};

/** Chooses one of the question's choices: gives its id. */
export type AnswerQuestion = (question: BodyOf<'ClarificationRequest'>) => string | Promise<string>;
