import { pendingNode } from '../../../machines/rules/derived.ts';
import { VerificationCapability } from '../../../schemas/vocabulary.ts';
import type { Work } from '../author.ts';
import { evidence } from './evidence.ts';
import type { Captured, Change, Inspect, Look, MakeChange } from './look.ts';
import type { Stand } from './stand.ts';

/** What acts need of the phase: where the run stands, and a way to keep what was seen. */
export type Acting = Pick<Work, 'run' | 'reader' | 'support'>;

export const standOf = async ({ run, reader }: Pick<Work, 'run' | 'reader'>): Promise<Stand> => ({
  run,
  record: await reader.record(),
});

/** Stores what an act gave. */
const keep = async (work: Acting, look: Look, change?: Change): Promise<Captured> => {
  const body = evidence(await standOf(work), look);
  const evidenceRef = await work.support({ type: 'Evidence', body });
  const { capability, target } = look;
  return { capability, target, finding: body.summary, evidenceRef, ...(change && { change }) };
};

/**
 * Does what the pending node requires, captures what was seen, and gives the references.
 *
 * @param makeChange null where nothing may be changed
 */
export const carryOut = async (
  work: Acting,
  inspect: Inspect,
  makeChange: MakeChange | null,
): Promise<readonly Captured[]> => {
  const stand = await standOf(work);
  const required = pendingNode(stand.record)?.requiredCapabilities ?? [];
  const captured: Captured[] = [];
  // The change comes first: what was seen before it verifies nothing.
  if (required.includes('repository.write')) {
    if (!makeChange) throw new Error('This author was given nothing that it could change.');
    const { change, written, readBack } = await makeChange(stand);
    captured.push(await keep(work, written, change), await keep(work, readBack));
  }
  const done = new Set(captured.map(({ capability }) => capability));
  for (const capability of required.filter((one) => !done.has(one)))
    for (const look of await inspect(VerificationCapability.parse(capability), stand, work.reader))
      captured.push(await keep(work, look));
  return captured;
};
