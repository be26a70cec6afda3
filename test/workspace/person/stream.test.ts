import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sequenceOf } from '../../../schemas/wire/cursor.ts';
import { openStream, type Streamed } from './eventStream.ts';
import { linkOf, setTable } from './support.ts';

const path = '/w/studio/person/events';

const isAsk =
  (state: string) =>
  ({ event }: Streamed): boolean =>
    event.type === 'ask' && event.ask.state === state;
const isChange = ({ event }: Streamed): boolean => event.type === 'change';
const isRosterOf =
  (...names: readonly string[]) =>
  ({ event }: Streamed): boolean =>
    event.type === 'roster' && names.every((name) => event.here.some((one) => one.name === name));

describe('the event stream of the page', () => {
  it('tells of asks, changes and who is here, each with a cursor that rises', async () => {
    const { agent, call, askAt, person, host } = await setTable();
    const stream = await openStream(person, path);
    expect(stream.response.status).toBe(200);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
    const seen = [...(await stream.until(isRosterOf('Mira')))];

    const desk = await agent('Desk agent');
    const link = linkOf(await call(desk, 'lab#send', { note: 'Hello' }, { invocation_id: 'one' }));
    seen.push(...(await stream.until(isAsk('asking'))));
    const again = await call(desk, 'lab#send', { note: 'Hello' }, { invocation_id: 'one' });
    expect(again.status).toBe('pending');
    const announced = await stream.until(isAsk('asking'));
    seen.push(...announced);
    expect(announced.at(-1)?.event).toMatchObject({ ask: { announced: 2, version: 1 } });

    const { id, version } = await askAt(link);
    await person.post(`/w/studio/person/asks/${id}`, { decision: 'refuse', version });
    const refused = await stream.until(isAsk('refused'));
    seen.push(...refused);
    expect(refused.at(-1)?.event).toMatchObject({ ask: { id, decided_by: 'Mira' } });

    await call(desk, 'lab#count', { name: 'sheep' }, { wait_ms: 5000 });
    const changed = await stream.until(isChange);
    seen.push(...changed);
    expect(changed.at(-1)?.event).toMatchObject({ type: 'change', app: 'lab' });
    if (!seen.some(isRosterOf('Desk agent'))) seen.push(...(await stream.until(isRosterOf('Mira', 'Desk agent'))));
    stream.close();

    const sequences = seen.map((streamed) => sequenceOf(streamed.id) ?? -1);
    expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b));
    expect(seen.every(({ name, event }) => name === event.type)).toBe(true);
    expect(sequences.every((sequence) => sequence > 0 && sequence <= host.host.events.last())).toBe(true);
  });

  it('goes on after the last event that a browser got, and tells nothing twice', async () => {
    const { agent, call, person, host } = await setTable();
    const desk = await agent('Desk agent');
    const first = await openStream(person, path);
    await call(desk, 'lab#count', { name: 'sheep' }, { wait_ms: 5000 });
    const [before] = (await first.until(isChange)).slice(-1);
    first.close();

    const missed: string[] = [];
    for (const name of ['goats', 'cows']) {
      await call(desk, 'lab#count', { name }, { wait_ms: 5000 });
      missed.push(
        ...host.host.events
          .after(host.host.events.last() - 3, 3)
          .flatMap(({ kind, body }) => (kind === 'change' ? [String(body.change)] : [])),
      );
    }
    await call(desk, 'lab#send', { note: 'Hello' });
    for (const resume of [{ 'last-event-id': before?.id ?? '' }, null]) {
      const stream = await openStream(person, resume ? path : `${path}?cursor=${before?.id}`, resume ?? {});
      const seen = await stream.until(isAsk('asking'));
      stream.close();
      const changes = seen.flatMap(({ event }) => (event.type === 'change' ? [event.change] : []));
      expect(changes).toEqual([...new Set(missed)]);
    }
  });

  it('begins now where a browser names no cursor, or one that this host did not give', async () => {
    const { agent, call, person, host } = await setTable();
    const desk = await agent('Desk agent');
    await call(desk, 'lab#count', { name: 'sheep' }, { wait_ms: 5000 });
    for (const told of ['', 'yesterday', 'czzzzzz']) {
      const stream = await openStream(person, path, told === '' ? {} : { 'last-event-id': told });
      const name = `after ${told}`;
      await call(desk, 'lab#count', { name }, { wait_ms: 5000 });
      const seen = await stream.until(isChange);
      stream.close();
      const changes = seen.filter(isChange);
      expect(changes).toHaveLength(1);
      const last = host.host.events.after(0, 1000).filter(({ kind }) => kind === 'change');
      expect(changes[0]?.event).toMatchObject({ change: last.at(-1)?.body.change });
    }
  });

  it('tells nothing of another workspace', async () => {
    const { agent, call, person, host } = await setTable();
    host.host.registry.createWorkspace('attic', 'Attic', ['notes', 'lab']);
    const stream = await openStream(person, '/w/attic/person/events');
    const desk = await agent('Desk agent');
    await call(desk, 'lab#count', { name: 'sheep' }, { wait_ms: 5000 });
    await call(desk, 'lab#send', { note: 'Hello' });
    const { history } = host.host;
    const [step] = history.activity('studio').steps;
    expect(await history.byPerson('attic', 'undo', { change: step?.changes[0]?.change ?? '' }, 'Mira')).toMatchObject({
      done: [],
    });
    const seen = await stream.until(isRosterOf('Mira'));
    stream.close();
    expect(seen.map(({ name }) => name)).toEqual(['roster']);
  });

  it('lets its person be here for as long as it is open', async () => {
    const { person, host } = await setTable();
    const { roster, events } = host.host;
    const here = (): readonly string[] => roster.here('studio').map(({ name }) => name);
    expect(here()).toEqual([]);
    const first = await openStream(person, path);
    const second = await openStream(person, path);
    expect(here()).toEqual(['Mira']);
    first.close();
    await second.until(isRosterOf('Mira'));
    expect(here()).toEqual(['Mira']);
    second.close();
    while (here().length > 0) await events.wait(events.last(), 20, new AbortController().signal);
  });

  it('ends when the host stops, and resumes at the next one', async () => {
    const data = mkdtempSync(join(tmpdir(), 'telic-person-'));
    onTestFinished(() => rmSync(data, { recursive: true, force: true }));
    const first = await setTable({ data });
    const stream = await openStream(first.person, path);
    await stream.until(isRosterOf('Mira'));
    const stopping = first.host.close();
    expect(await stream.next()).toBeNull();
    await stopping;

    const second = await setTable({ data, seed: () => {}, token: first.host.token });
    const desk = await second.agent('Desk agent');
    await second.call(desk, 'lab#send', { note: 'Hello' });
    const resumed = await openStream(second.person, path, { 'last-event-id': stream.lastId() });
    const seen = await resumed.until(isAsk('asking'));
    resumed.close();
    expect(seen.at(-1)?.event).toMatchObject({ ask: { args: { note: 'Hello' } } });
  });
});
