import type { RunContext } from '../../machines/context.ts';
import { keyOf } from '../../machines/graph/labels.ts';
import type { Pair } from '../../machines/graph/runGraph.ts';
import { type RunSnapshot, thaw } from '../../machines/step.ts';
import { actionCapabilities } from '../../schemas/vocabulary.ts';
import type { TokenArgs } from '../../src/controller/api.ts';
import type { Product } from '../../src/sdk/index.ts';
import { startOf } from '../everyRun/starts.ts';
import { type Chance, chanceOf } from './chance.ts';
import { mutated } from './mutations.ts';
import { begin, type Outcome, outcomeOf, type Player } from './player.ts';
import type { Image, World } from './world.ts';

/** Random walks of the real controller over a real ledger, each step with the ledger before and after it. */

/** The run as the ledger and the controller show it between two events. */
export interface Shot {
  readonly image: Image;
  readonly context: RunContext;
  readonly snapshot: RunSnapshot;
  /** The next action as canonical text, its brief left out (I5). */
  readonly next: string;
}

export type Kind =
  /** A legal event of the abstract machine, written by the scripted author. */
  | 'legal'
  /** A legal event that stored supporting artifacts only. */
  | 'support'
  /** An artifact that the state does not take. */
  | 'astray'
  | 'stale'
  | 'repeat'
  | 'mutant'
  /** The artifact after an answer, without question and answer in its references. */
  | 'uncited'
  /** A permission that the result claims and the run does not have; `deniedAgain` is the same once more. */
  | 'denied'
  | 'deniedAgain'
  | 'check'
  | 'read'
  /** A legal artifact that two controllers send with one token: the outcomes of both. */
  | 'race';

export interface Frame {
  readonly kind: Kind;
  readonly label: string;
  readonly before: Shot;
  readonly after: Shot;
  readonly outcome: Outcome;
  /** The second outcome of a race. */
  readonly other?: Outcome;
}

export interface Journal {
  readonly name: string;
  readonly pair: Pair;
  readonly runId: string;
  readonly frames: readonly Frame[];
  /** Another run of the same ledger, before and after the walk. */
  readonly onlooker: readonly [before: Image, after: Image];
}

/** Once in how often a label that ends a run early is taken where it could be. */
const rarity: Readonly<Record<string, number>> = {
  CANCEL: 20,
  'ClarificationRequest first': 6,
  'ClarificationRequest further': 20,
  'ANSWER cancel': 6,
  'ANSWER new_run': 6,
  'PromptReview block': 4,
  'WorkResult unsuccessful': 3,
  'QualityReview partial': 3,
  'QualityReview block': 3,
  'UserReport user-reported': 3,
};

/** A legal label; those that end a run early come seldom. */
export const chosenLabel = (player: Player, chance: Chance): string | null => {
  const labels = player.labels();
  // Without some luck a chance walk would seldom see a whole fix.
  const onward = labels.find((label) => label === 'QualityReview proceed_to_fix' || label === 'QualityReview pass');
  if (onward !== undefined && chance.once(2)) return onward;
  const wanted = labels.filter((label) => chance.once(rarity[label] ?? 1));
  const others = labels.filter((label) => label !== 'CANCEL');
  const among = wanted.length > 0 ? wanted : others.length > 0 ? others : labels;
  return among.length > 0 ? chance.of(among) : null;
};

const everyLabel = [
  'ClarificationRequest first',
  'ProblemFrame',
  'TaskContract v1',
  'PromptReview pass',
  'WorkPlan',
  'QualityReview pass',
  'ReleaseAudit release',
  'UserReport completed',
];

const isOver = ({ status }: RunContext): boolean => status !== 'running' && status !== 'awaiting_clarification';

/** Two connections of one ledger, as two processes would have. */
export interface Table {
  readonly world: World;
  readonly one: ReturnType<World['open']>;
  readonly two: ReturnType<World['open']>;
}

/** Walks one run from its start to its end, and tries what must be refused on the way and after it. */
export const walk = async ({ world, one, two }: Table, pair: Pair, seed: number): Promise<Journal> => {
  const chance = chanceOf(seed);
  const other = await begin(one.controller, one.ledger, startOf(['report_only', 'standard']));
  const player = await begin(one.controller, one.ledger, startOf(pair));
  const { runId } = player;
  const frames: Frame[] = [];
  const accepted: Readonly<{ product: Product; token: TokenArgs }>[] = [];

  const shoot = async (by = one): Promise<Shot> => {
    const { nextAction } = await by.controller.nextAction(runId);
    const stored = player.stored();
    const { brief: _, ...next } = { brief: null, ...nextAction };
    return {
      image: world.imageOf(runId),
      context: stored.context,
      snapshot: thaw(stored.snapshot),
      next: JSON.stringify(next),
    };
  };

  const frame = async (kind: Kind, label: string, call: () => Promise<Outcome>, by = one): Promise<Frame> => {
    const before = await shoot();
    const outcome = await call();
    const taken: Frame = { kind, label, before, after: await shoot(by), outcome };
    frames.push(taken);
    return taken;
  };

  /** The artifact of a label; what the author stores for it is a frame of its own. Null where none can be written. */
  const prepared = async (label: string, may: boolean): Promise<Product | null> => {
    const before = await shoot();
    try {
      const product = await player.product(label, 1 + chance.under(3));
      const after = await shoot();
      if (after.image.artifacts.length > before.image.artifacts.length)
        frames.push({ kind: 'support', label, before, after, outcome: { ok: true } });
      return product;
    } catch (error) {
      // Out of its phase an artifact cannot always be written: the run does not hold what it is about.
      if (may) throw error;
      return null;
    }
  };

  const withoutLineage = (product: Product): Product | null => {
    const { lineage } = player.stored().context;
    return lineage.length === 2
      ? { ...product, sourceRefs: product.sourceRefs?.filter((ref) => !lineage.includes(ref)) ?? [] }
      : null;
  };

  const trial = async (): Promise<void> => {
    switch (chance.under(7)) {
      case 0: {
        const label = chance.of(everyLabel);
        const product = await prepared(label, false);
        if (product) await frame('astray', label, () => player.submit(product));
        return;
      }
      case 1: {
        const old = accepted.at(-1);
        if (old) await frame('repeat', old.product.type, () => player.submit(old.product, old.token));
        return;
      }
      case 2: {
        const token = player.token();
        const wrong = chance.once(2)
          ? { ...token, expectedVersion: token.expectedVersion + 1 }
          : { ...token, actionId: `${token.actionId}0` };
        await frame('stale', 'CANCEL', () => outcomeOf(one.controller.cancel(wrong)));
        return;
      }
      case 3: {
        const capability = chance.of([...actionCapabilities, 'no.such.capability']);
        await frame('check', capability, () =>
          outcomeOf(one.controller.check({ ...player.token(), capability, target: 'README.md' })),
        );
        return;
      }
      case 4: {
        const by = chance.once(2) ? one : two;
        const read = async (): Promise<Outcome> => {
          const { controller } = by;
          await controller.run(runId);
          await controller.trace(runId, 0, 500);
          await controller.replay(runId);
          await controller.listRuns(100);
          await controller.artifact(runId, runId);
          return outcomeOf(controller.nextAction(runId));
        };
        await frame('read', 'everything', read, by);
        return;
      }
      default: {
        const label = chosenLabel(player, chance);
        const product = label && !label.startsWith('WorkResult') ? await prepared(label, false) : null;
        if (product) {
          const body = mutated(product.body, chance);
          await frame('mutant', product.type, () => player.submit({ ...product, body: Object(body) }));
        }
      }
    }
  };

  const denial = async (product: Product): Promise<void> => {
    const { body } = product;
    const actions = 'actions' in body && Array.isArray(body.actions) ? body.actions : [];
    const [first] = actions;
    if (!first) return;
    const beyond = {
      ...first,
      id: 'ACT-BEYOND',
      capability: 'external.write',
      target: 'https://example.org/',
      mutating: true,
    };
    const wrong: Product = { ...product, body: { ...body, actions: [...actions, beyond] } };
    await frame('denied', product.type, () => player.submit(wrong));
    await frame('deniedAgain', product.type, () => player.submit(wrong));
  };

  const legal = async (label: string): Promise<void> => {
    const product = await prepared(label, true);
    if (!product) {
      await frame('legal', label, () => player.play(label));
      return;
    }
    const uncited = withoutLineage(product);
    if (uncited) await frame('uncited', label, () => player.submit(uncited));
    if (label.startsWith('WorkResult') && chance.once(2)) await denial(product);
    const token = player.token();
    if (chance.once(5)) {
      const before = await shoot();
      const args = {
        ...token,
        artifactType: product.type,
        body: product.body,
        sourceRefs: [...new Set(product.sourceRefs)],
      };
      const [outcome, second] = await Promise.all([
        outcomeOf(one.controller.submit(args)),
        outcomeOf(two.controller.submit(args)),
      ]);
      frames.push({ kind: 'race', label, before, after: await shoot(two), outcome, other: second });
    } else await frame('legal', label, () => player.submit(product, token));
    const taken = frames.at(-1);
    if (taken?.outcome.ok || taken?.other?.ok) accepted.push({ product, token });
  };

  const onlooker = world.imageOf(other.runId);
  while (!isOver(player.stored().context)) {
    for (let trials = chance.under(3); trials > 0; trials -= 1) await trial();
    const label = isOver(player.stored().context) ? null : chosenLabel(player, chance);
    if (label !== null) await legal(label);
  }
  for (let trials = 3; trials > 0; trials -= 1) await trial();
  await frame('legal', 'CANCEL', () => player.play('CANCEL'));
  await frame('astray', 'GROUND', () => player.play('GROUND'));
  await frame('astray', 'ANSWER resume', () => player.play('ANSWER resume'));
  return {
    name: `${pair.join(' in ')}, seed ${seed}: ${frames.map(({ kind, label }) => `${kind} ${label}`).join(' > ')}`,
    pair,
    runId,
    frames,
    onlooker: [onlooker, world.imageOf(other.runId)],
  };
};

/** The abstract state of a shot, for what must not change between two. */
export const stateOf = ({ snapshot }: Shot): string => keyOf(snapshot);
