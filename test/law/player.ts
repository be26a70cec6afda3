import { viewOf } from '../../machines/context.ts';
import { offered } from '../../machines/graph/labels.ts';
import { type AnyArtifact, artifactUri, emptyRecord, type RunRecord } from '../../machines/record.ts';
import { type RunSnapshot, step, thaw } from '../../machines/step.ts';
import type { Failure } from '../../schemas/failure.ts';
import type { Controller, TokenArgs } from '../../src/controller/api.ts';
import { TelicError } from '../../src/controller/telicError.ts';
import type { Ledger, StoredRun } from '../../src/ledger/ledger.ts';
import type { Inspect, Look, MakeChange, Product, StartRequest } from '../../src/sdk/index.ts';
import type { RunReader } from '../../src/sdk/runReader.ts';
import { carryOut } from '../../src/sdk/scriptedAuthor/acts.ts';
import { write } from '../../src/sdk/scriptedAuthor/move.ts';
import type { Stand } from '../../src/sdk/scriptedAuthor/stand.ts';
import { choiceFor, moveFor } from '../everyRun/labels.ts';

/** Moves one run through a controller: the abstract machine says what is legal, the scripted author writes it. */

/** What came of a call: taken, or refused with its failure. */
export type Outcome = Failure | Readonly<{ ok: true }>;

/** @throws everything that is no failure of a run: a crash */
export const outcomeOf = async (call: Promise<unknown>): Promise<Outcome> => {
  try {
    await call;
    return { ok: true };
  } catch (error) {
    if (error instanceof TelicError) return error.failure;
    throw error;
  }
};

const look = (over: Pick<Look, 'capability' | 'target' | 'kind' | 'content'>): Look => ({
  contentType: 'text/plain',
  finding: `${over.target} was looked at.`,
  sourceRefs: [],
  at: '2026-01-01T00:00:00.000Z',
  ...over,
});

/** The hands of a host that tell what such looks show, without starting a program for each of some thousand. */
const inspect: Inspect = async (capability) => [
  capability === 'shell.inspect'
    ? look({ capability, target: 'git.status', kind: 'tool_output', content: '## main\n' })
    : look({ capability, target: 'README.md', kind: 'repository', content: '# Sample\n' }),
];

const makeChange: MakeChange = async () => ({
  change: {
    path: 'README.md',
    changeType: 'modified',
    beforeHash: `sha256:${'0'.repeat(64)}`,
    afterHash: `sha256:${'1'.repeat(64)}`,
  },
  written: look({
    capability: 'repository.write',
    target: 'README.md',
    kind: 'diff',
    content: '--- a/README.md\n+++ b/README.md\n@@ -3,0 +4 @@\n+One line more.\n',
  }),
  readBack: look({ capability: 'repository.read', target: 'README.md', kind: 'repository', content: 'One line more.' }),
});

export interface Player {
  readonly runId: string;
  stored(): StoredRun;
  snapshot(): RunSnapshot;
  record(): RunRecord;
  token(): TokenArgs;
  /** What the scripted author writes from. */
  stand(): Stand;
  /** The labels that the machine takes here: rules that read more than control data may still refuse some. */
  labels(): readonly string[];
  /** The artifact that a label stands for; null for GROUND, CANCEL and answers. Stores the Evidence that it needs. */
  product(label: string, nodes?: number): Promise<Product | null>;
  submit(product: Product, token?: TokenArgs): Promise<Outcome>;
  /** Sends a body under any type. */
  send(artifactType: string, product: Omit<Product, 'type'>): Promise<Outcome>;
  /** Sends what a label stands for. */
  play(label: string, nodes?: number): Promise<Outcome>;
}

/** A player of a run that was started already. */
export const playerOf = (controller: Controller, ledger: Ledger, runId: string): Player => {
  let record = emptyRecord(runId);
  const read = (): RunRecord => {
    record = record.extend(ledger.artifacts(runId, record.size), { added: 0, denials: 0 });
    return record;
  };
  const stored = (): StoredRun => {
    const found = ledger.run(runId);
    if (!found) throw new Error(`The ledger holds no run ${runId}.`);
    return found;
  };
  const token = (): TokenArgs => {
    const { version } = stored().context;
    return { runId, actionId: `action:${runId}:${version}`, expectedVersion: version };
  };
  const reader: RunReader = {
    metas: async () =>
      ledger.artifactMeta(runId, 0, 4096).map((meta) => ({ ...meta, sourceRefs: [...meta.sourceRefs] })),
    artifact: async (ref) => {
      const found: AnyArtifact | undefined = read().get(ref.split('/').at(-1) ?? '');
      if (!found) throw new Error(`There is no ${ref}.`);
      return found;
    },
    record: async () => read(),
  };
  const stand = (): Stand => ({ run: viewOf(stored().context), record: read() });

  const send = ({ type, body, sourceRefs = [] }: Product, of: TokenArgs) =>
    controller.submit({ ...of, artifactType: type, body, sourceRefs: [...new Set(sourceRefs)] });

  const support = async (product: Product): Promise<string> => {
    const { artifact } = await send(product, token());
    if (!artifact) throw new Error(`${product.type} is no supporting artifact.`);
    return artifactUri(runId, artifact.id);
  };

  const product: Player['product'] = async (label, nodes = 1) => {
    if (label === 'CANCEL' || label === 'GROUND' || label.startsWith('ANSWER')) return null;
    const { run } = stand();
    const move = await moveFor(label, {
      rest: Array.from({ length: nodes - 1 }, () => 'WorkResult completed-more'),
      version: run.version,
      carryOut: () => carryOut({ run, reader, support }, inspect, makeChange),
    });
    return write(stand(), move);
  };

  return {
    runId,
    stored,
    snapshot: () => thaw(stored().snapshot),
    record: read,
    token,
    stand,
    labels: () => {
      const snapshot = thaw(stored().snapshot);
      // The machine of the graph has a question of its own; a real one names its choices itself.
      if (snapshot.matches('clarification'))
        return [...new Set(snapshot.context.choices.map(({ effect }) => `ANSWER ${effect}`)), 'CANCEL'];
      return offered(snapshot)
        .filter(({ event }) => step(snapshot, event).outcome === 'accepted')
        .map(({ label }) => label);
    },
    product,
    send: (artifactType, { body, sourceRefs = [] }) =>
      outcomeOf(controller.submit({ ...token(), artifactType, body, sourceRefs })),
    submit: (made, of = token()) => outcomeOf(send(made, of)),
    play: async (label, nodes) => {
      if (label === 'CANCEL') return outcomeOf(controller.cancel(token()));
      if (label === 'GROUND') return outcomeOf(controller.ground(token()));
      if (label.startsWith('ANSWER'))
        return outcomeOf(controller.answer({ ...token(), answer: choiceFor(label), via: 'host' }));
      const made = await product(label, nodes);
      if (!made) throw new Error(`${label} stands for no artifact.`);
      return outcomeOf(send(made, token()));
    },
  };
};

/** Starts a run and gives its player. */
export const begin = async (controller: Controller, ledger: Ledger, start: StartRequest): Promise<Player> => {
  const { run } = await controller.start(start);
  return playerOf(controller, ledger, run.runId);
};
