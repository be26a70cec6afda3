import type { CallRequest } from '../../machines/permissions/hostCall.ts';

/** What the gate asks of the run. */
export interface Asked {
  readonly requests: readonly CallRequest[];
  /** In action scope, and a refusal wherever no run can say. */
  readonly strict: boolean;
  /** The working directory of this process, absolute. */
  readonly cwd: string;
  /** The host's own, if it told one: relative paths are relative to it. */
  readonly hostDirectory: string | null;
  readonly repo: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Who asks, as it is noted for the doctor. */
  readonly host: string;
}

export interface Verdict {
  readonly allowed: boolean;
  /** For the model and the log: capability, reason and run, no text of the call. */
  readonly reason: string;
}

export const refused = (reason: string): Verdict => ({ allowed: false, reason });

/** Without a run to ask, a strict gate refuses and another lets the call through, saying why. */
export const withoutRun = (strict: boolean, why: string): Verdict =>
  strict
    ? refused(
        `Telic refuses this call: ${why}. Start a run with telic_start_run, or go on with the run that is there, and call again.`,
      )
    : { allowed: true, reason: `Telic did not check this call: ${why}.` };
