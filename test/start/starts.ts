import type { StartArgs, StartFacts, StartOutcome } from '../../machines/start/start.ts';
import { startRun } from '../../machines/start/start.ts';
import { actionCapabilities } from '../../schemas/vocabulary.ts';

export const everyCapability: readonly string[] = actionCapabilities;

export const facts: StartFacts = {
  runId: '3f0e7c7e-7a3c-4a5b-9a63-0d7f6d8a1c01',
  requestId: 'request-01',
  at: '2026-03-02T09:00:00.000Z',
  repositoryRoot: '/srv/sample',
  prior: null,
};

export const startOf = (
  args: Partial<StartArgs> & Pick<StartArgs, 'mode'>,
  over: Partial<StartFacts> = {},
): StartOutcome =>
  startRun(
    { originalRequest: 'Look at the sample.', hostName: 'sample-host', nativeSubagents: 'unknown', ...args },
    { ...facts, ...over },
  );

/** The start that has to succeed. */
export const started = (
  args: Partial<StartArgs> & Pick<StartArgs, 'mode'>,
  over: Partial<StartFacts> = {},
): StartOutcome & { ok: true } => {
  const outcome = startOf(args, over);
  if (!outcome.ok) throw new Error(`refused: ${outcome.findings.map(({ message }) => message).join(' ')}`);
  return outcome;
};

/** The codes of a refused start, in order. */
export const refusedCodes = (outcome: StartOutcome): readonly string[] =>
  outcome.ok ? [] : outcome.findings.map(({ code }) => code);
