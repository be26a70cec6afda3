import { actionIdOf } from '../../machines/context.ts';
import type { Token } from '../../machines/events.ts';
import { offered } from '../../machines/graph/labels.ts';
import { step } from '../../machines/step.ts';
import { actionCapabilities, storedTypes, submittedTypes } from '../../schemas/vocabulary.ts';
import type { Product } from '../sdk/author.ts';
import { type Call, currentToken, submission } from './calls.ts';
import type { Model } from './model.ts';
import { mutationsOf } from './mutations.ts';
import { lackingEvidence, moreEvidence, productFor, scenario } from './products.ts';
import { callFor } from './walk.ts';

/**
 * The calls of a random sequence: each made from the run as it stands and a few numbers, so that a sequence means the
 * same whenever it is replayed. A call that makes no sense here is null.
 */
export type Numbers = readonly [first: number, second: number];
export type MakeCall = (model: Model, sent: readonly Call[], numbers: Numbers) => Call | null;

/** The entry that a number picks; the same number picks the same entry of the same list. */
const pick = <T>(list: readonly T[], number: number): T | undefined => list[number % Math.max(1, list.length)];

/** The labels that the machine takes here as far as its guards can tell, but for cancelling. */
const labelsFor = ({ snapshot }: Model): readonly string[] =>
  offered(snapshot)
    .filter(({ label, event }) => label !== 'CANCEL' && step(snapshot, event).outcome === 'accepted')
    .map(({ label }) => label);

/** Onward rather than into questions and ends, so that sequences get deep. */
const onwardFor = (model: Model): readonly string[] => {
  const all = labelsFor(model);
  const calm = all.filter((label) => !/^Clarification|^ANSWER (?:cancel|new_run)| block$/.test(label));
  return calm.length > 0 ? calm : all;
};

/** The author has nothing for a run whose authority reaches for nothing; then there is nothing to send. */
const writable = <T>(write: () => T): T | null => {
  try {
    return write();
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('This author needs')) return null;
    throw error;
  }
};

const tokenOf = ({ snapshot }: Model): Token => currentToken(snapshot.context);

/** Evidence first: a result without it would always be refused. */
const legal = (model: Model, label: string | undefined, nodes: number): Call | null => {
  if (label === undefined) return null;
  const lacking = label.startsWith('WorkResult') ? lackingEvidence(model) : null;
  return lacking ? submission(tokenOf(model), lacking) : writable(() => callFor(model, label, 1 + (nodes % 3)));
};

const productAt = (model: Model, number: number): Product | null => {
  const artifacts = labelsFor(model).filter((label) => !/^GROUND|^ANSWER/.test(label));
  const label = pick(artifacts, number);
  if (label === undefined) return null;
  const lacking = label.startsWith('WorkResult') ? lackingEvidence(model) : null;
  return lacking ?? writable(() => productFor(model, label, 1 + (number % 3)));
};

const headOf = (model: Model, id: string) => ({ schemaVersion: '1.0', id, runId: model.record.runId });

const otherTypes = [...new Set([...submittedTypes, ...storedTypes, 'NextAction', 'TraceEvent'])];

const targets = ['README.md', 'src/new.ts', '../outside', '.git/config', 'git.status', 'npm test', 'example.org', null];

const submit = (model: Model, type: string, body: unknown, sourceRefs: readonly string[] = []): Call => ({
  kind: 'submit',
  token: tokenOf(model),
  type,
  body,
  sourceRefs,
});

export const moves = {
  /** The next legal artifact, grounding or answer. */
  onward: (model, _, [label, nodes]) => legal(model, pick(onwardFor(model), label), nodes),
  /** Any legal one: questions and early ends too. */
  any: (model, _, [label, nodes]) => legal(model, pick(labelsFor(model), label), nodes),
  /** An earlier artifact under another type, or hardly a body at all. */
  wrongType: (model, _, [type, artifact]) => {
    const old = pick(model.record.entries(), artifact);
    const body = artifact % 3 === 0 ? headOf(model, 'something') : (old?.body ?? {});
    return submit(model, pick(otherTypes, type) ?? 'WorkPlan', body);
  },
  /** A legal artifact with one thing changed. */
  mutated: (model, _, [label, mutation]) => {
    const product = productAt(model, label);
    if (!product) return null;
    const refs = model.record.entries().map(({ id, runId }) => `artifact://${runId}/${id}`);
    const changed = pick(mutationsOf(product.type, product.body, refs.slice(-6)), mutation);
    return changed ? submit(model, product.type, changed.body, product.sourceRefs) : null;
  },
  /** The next legal call under a token that is not current: behind, ahead, or of two versions at once. */
  stale: (model, _, [label, way]) => {
    const call = legal(model, pick(labelsFor(model), label), 0);
    if (!call) return null;
    const { context } = model.snapshot;
    const { version } = context;
    const held = pick([version - 1, version + 1, version + 7], way) ?? 0;
    const other = {
      expectedVersion: Math.max(1, held),
      actionId: actionIdOf({ ...context, version: Math.max(1, held) }),
    };
    return { ...call, token: way % 2 === 0 ? other : { ...other, actionId: actionIdOf(context) } };
  },
  /** The right version with an action of another run, or one that was made up. */
  foreign: (model, _, [label, way]) => {
    const call = legal(model, pick(labelsFor(model), label), 0);
    if (!call) return null;
    const { expectedVersion } = call.token;
    const actionId = way % 2 === 0 ? `action:00000000-0000-4000-8000-000000000000:${expectedVersion}` : 'action-1';
    return { ...call, token: { expectedVersion, actionId } };
  },
  /** Something accepted, sent again to the letter. */
  repeat: (_, sent, [which]) => pick(sent, which) ?? null,
  /** Something accepted, sent again under the current token. */
  again: (model, sent, [which]) => {
    const call = pick(sent, which);
    return call ? { ...call, token: tokenOf(model) } : null;
  },
  /** A legal artifact under an id that the run has given away. */
  duplicateId: (model, _, [label, artifact]) => {
    const product = productAt(model, label);
    const taken = pick(model.record.entries(), artifact);
    return product && taken ? submit(model, product.type, { ...product.body, id: taken.id }, product.sourceRefs) : null;
  },
  /** Supporting artifacts, where they are due and where not. */
  support: (model, _, [which]) => {
    const [stored] = model.record.all('Evidence').slice(-1);
    const retold = model.record.latest('ScenarioSpec');
    const body = stored?.body ?? headOf(model, 'evidence-x');
    const product = pick(
      [
        lackingEvidence(model),
        moreEvidence(model),
        scenario(model),
        { type: 'Evidence', body } as const,
        { type: 'Evidence', body: { ...body, summary: 'It says something else now.' } } as const,
        retold ? ({ type: 'ScenarioSpec', body: retold.body } as const) : null,
      ],
      which,
    );
    return product ? submission(tokenOf(model), product) : null;
  },
  /** A host asks whether it may use a tool. */
  check: (model, _, [capability, target]) => ({
    kind: 'check',
    token: tokenOf(model),
    capability: pick([...actionCapabilities, 'shell.exec', 'moon.walk'], capability) ?? '',
    target: pick(targets, target) ?? null,
  }),
  /** An answer: one of the choices, or none of them, asked for or not. */
  answer: (model, _, [which]) => ({
    kind: 'answer',
    token: tokenOf(model),
    choice: pick(['no such choice', ...model.snapshot.context.choices.map(({ id }) => id)], which) ?? '',
  }),
  /** Grounding, where it is due and where not. */
  ground: (model) => ({ kind: 'ground', token: tokenOf(model) }),
  /** A legal artifact as text in `body_json`. */
  asText: (model, _, [label, nodes]) => {
    const call = legal(model, pick(labelsFor(model), label), nodes);
    return call?.kind === 'submit' ? { ...call, asText: true } : call;
  },
  cancel: (model) => ({ kind: 'cancel', token: tokenOf(model) }),
} as const satisfies Readonly<Record<string, MakeCall>>;
export type MoveName = keyof typeof moves;
