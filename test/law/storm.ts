import { pairs } from '../../machines/graph/runGraph.ts';
import { type Failure, failureCodes } from '../../schemas/failure.ts';
import { limits } from '../../schemas/vocabulary.ts';
import type { Product } from '../../src/sdk/index.ts';
import { startOf } from '../everyRun/starts.ts';
import { type Chance, chanceOf } from './chance.ts';
import { chosenLabel } from './journal.ts';
import { mutated, mutatedType } from './mutations.ts';
import { begin, type Player } from './player.ts';
import { type Image, newWorld } from './world.ts';

/**
 * A storm of submissions: legal bodies with a few random changes, sent to the controller wherever runs stand. Nothing may
 * crash, a refusal must leave the run as it was and teach its reader, and every run must still come to an end.
 */

export interface Storm {
  readonly submissions: number;
  readonly accepted: number;
  readonly runs: number;
  /** How often each code was the first of a refusal. */
  readonly codes: ReadonlyMap<string, number>;
  /** What went wrong, each with the seed of its run and where. */
  readonly faults: readonly string[];
}

/** What a refusal lacks to teach its reader (guidance section 2, decisions 3). */
export const lacksOf = (failure: Failure): readonly string[] => {
  const { code, kind, rule, error, issues, next_steps: steps } = failure;
  const lacks: string[] = [];
  if (failureCodes[code] !== kind) lacks.push(`the kind of ${code} is ${kind}`);
  if (code === 'internal') lacks.push(`internal: ${error}`);
  if (rule === undefined || !/^(?:ADM|SCH)-[A-Z]+-\d+$/.test(rule)) lacks.push(`rule ${rule}`);
  if (error === '' || /[\n\r]/.test(error) || error.length > limits.errorMessage) lacks.push(`sentence ${error}`);
  if (steps.length === 0 || steps.some((step) => step === '')) lacks.push('no next step');
  if (issues.length === 0 || issues.length > limits.issues) lacks.push(`${issues.length} findings`);
  if (issues[0] && issues[0].code !== rule) lacks.push('the first finding does not name the refusal');
  for (const { path, code: found, message, fix } of issues) {
    if (message === '' || message.length > limits.issueMessage) lacks.push(`${found}: message of ${message.length}`);
    if (fix === undefined || fix === '') lacks.push(`${found}: no fix`);
    if (path === '' && found.startsWith('ADM-')) lacks.push(`${found}: no path`);
  }
  return lacks;
};

const text = (value: unknown): string => JSON.stringify(value);

/** What a refusal changed that it may not: all but one entry of the trace, with the event that holds it. */
export const changedBy = (failure: Failure, before: Image, after: Image): string | null => {
  if (failure.code === 'run_escalated') return null;
  if (text(before.artifacts) !== text(after.artifacts) || text(before.elsewhere) !== text(after.elsewhere))
    return 'artifacts changed';
  const entries = after.trace.length - before.trace.length;
  if (entries > 1 || after.events.length - before.events.length !== entries) return `${entries} entries were added`;
  if (text(before.trace) !== text(after.trace.slice(0, before.trace.length))) return 'the trace was rewritten';
  if (text(before.events) !== text(after.events.slice(0, before.events.length))) return 'events were rewritten';
  const { head: _, head_hash: __, trace_count: ___, denials: ____, ...was } = Object(before.run);
  const { head: _h, head_hash: _hh, trace_count: _t, denials: _d, ...is } = Object(after.run);
  return text(was) === text(is) ? null : 'the run changed';
};

const isOver = (player: Player): boolean =>
  !['running', 'awaiting_clarification'].includes(player.stored().context.status);

/** Runs per ledger: an image counts rows of the whole ledger, which should stay small. */
const runsPerWorld = 40;

/** @param submissions how many mutated submissions to send at least */
export const storm = async (seed: number, submissions: number): Promise<Storm> => {
  const codes = new Map<string, number>();
  const faults: string[] = [];
  let sent = 0;
  let accepted = 0;
  let runs = 0;

  const send = async (player: Player, product: Product, chance: Chance, where: string): Promise<void> => {
    const wrong = { ...product, type: product.type, body: Object(mutated(product.body, chance)) };
    const refs = product.sourceRefs ?? [];
    const sourceRefs = chance.once(15)
      ? [...refs, chance.of(['artifact://a/b', 'repo://README.md', 'trace://x', 'none'])]
      : refs;
    const before = world.imageOf(player.runId);
    const told = `${where}, submission ${sent}: ${product.type}`;
    sent += 1;
    try {
      const outcome = await player.send(mutatedType(product.type, chance), { ...wrong, sourceRefs });
      if (outcome.ok) {
        accepted += 1;
        return;
      }
      const { rule = 'none' } = outcome;
      codes.set(rule, (codes.get(rule) ?? 0) + 1);
      const changed = changedBy(outcome, before, world.imageOf(player.runId));
      if (changed !== null) faults.push(`${told}: ${rule}: ${changed}`);
      for (const lack of lacksOf(outcome)) faults.push(`${told}: ${rule}: ${lack}`);
    } catch (error) {
      faults.push(`${told}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  };

  let world = newWorld();
  let doors = world.open();
  try {
    while (sent < submissions) {
      if (runs > 0 && runs % runsPerWorld === 0) {
        world.close();
        world = newWorld();
        doors = world.open();
      }
      const chance = chanceOf(seed + runs);
      const pair = chance.of(pairs);
      const where = `seed ${seed + runs}, ${pair.join(' in ')}`;
      runs += 1;
      const player = await begin(doors.controller, doors.ledger, startOf(pair));
      const written: Product[] = [];
      while (!isOver(player)) {
        const label = chosenLabel(player, chance);
        if (label === null) break;
        const product = await player.product(label, 1 + chance.under(3));
        if (product) written.push(product);
        const { version } = player.stored().context;
        for (let left = chance.under(10); left > 0 && product; left -= 1) {
          const other = chance.once(10) ? chance.of(written) : product;
          await send(player, other, chance, where);
          if (player.stored().context.version !== version) break;
        }
        if (player.stored().context.version !== version) continue;
        const outcome = product ? await player.submit(product) : await player.play(label);
        if (!outcome.ok) codes.set(outcome.rule ?? 'none', (codes.get(outcome.rule ?? 'none') ?? 0) + 1);
        // A label that a rule of the record forbids is tried seldom enough that another one is chosen next.
      }
      const [damage] = doors.ledger.verify(player.runId);
      if (damage) faults.push(`${where}: ${damage.message}`);
    }
  } finally {
    world.close();
  }
  return { submissions: sent, accepted, runs, codes, faults };
};
