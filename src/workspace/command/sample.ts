import { firstApps } from '../apps/builtIn.ts';
import { groupOf } from '../caller.ts';
import type { Host } from '../host.ts';

/** What a first look needs: a workspace with something in it, and a token for a client. */
export interface Sample {
  readonly workspace: string;
  readonly token: string;
}

const name = 'sample';
const tokenMilliseconds = 30 * 24 * 3_600_000;

interface Step {
  readonly path: string;
  readonly args: Record<string, unknown>;
}

const page = (title: string, items: readonly string[], paragraph: string): readonly Step[] => [
  { path: 'notes#new-page', args: { title } },
  ...items.map((text) => ({ path: `notes/${title}#append-checkbox`, args: { text } })),
  { path: `notes/${title}#append-paragraph`, args: { text: paragraph } },
];

const steps: readonly Step[] = [
  ...page(
    'Welcome',
    ['Read this page with tilo_read', 'Tick this with tilo_do'],
    'Every change here can be taken back.',
  ),
  ...page('Garden', ['Water the tomatoes', 'Order seeds'], 'Compost is ready in May.'),
  ...page('Reading list', ['Piranesi', 'Middlemarch'], 'Ask before lending books.'),
  { path: 'notes/Welcome#pin', args: {} },
];

/**
 * Makes the workspace `sample` with a few pages through the notes app, unless it is there, and a token for it. The pages
 * are made by calls as any client makes them, so their history can be looked at and taken back.
 *
 * @throws Error when a call fails, which is a defect
 */
export const makeSample = async (host: Host, now_ms: number = Date.now()): Promise<Sample> => {
  const { registry } = host;
  const isNew = registry.workspaces().every((row) => row.name !== name);
  if (isNew) registry.createWorkspace(name, 'Sample', firstApps);
  // Each start of a sample makes one: those that nobody uses any more end by themselves.
  const expires_ms = now_ms + tokenMilliseconds;
  const made = registry.createToken({ label: 'Sample', workspace: name, max: 'outside', expires_ms, run: null });
  const token = registry.tokenOf(made.text);
  if (token === null) throw new Error('A new token opens nothing.');
  if (!isNew) return { workspace: name, token: made.text };

  const connection = registry.defaultConnection(token, name);
  const group = groupOf(connection.id, { run: { id: 'sample', title: 'Set up the sample' } });
  const caller = { connection, group, signal: new AbortController().signal };
  for (const step of steps) {
    const answer = await host.call('tilo_do', step, caller);
    if (answer.status !== 'ok') throw new Error(`The sample could not be made: ${JSON.stringify(answer)}`);
  }
  return { workspace: name, token: made.text };
};
