import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { Watched } from '../../../schemas/wire/answers.ts';
import { openClient, type WireClient } from '../support/wireClient.ts';

/** Watches and writers against one host at once; counts what the watches missed or saw twice (W-58). */
export interface Hammer {
  readonly address: string;
  readonly tokens: readonly string[];
  readonly watches: number;
  /** Each writes to a page of its own. */
  readonly writers: number;
  readonly seconds: number;
  /** Writes a second and writer. */
  readonly rate: number;
  /** Numbers from 0 to 1 that decide when a writer pauses for how long. */
  readonly random: () => number;
}

export interface Hammered {
  readonly written: number;
  /** Change events that all watches together should have seen, and did see. */
  readonly expected: number;
  readonly seen: number;
  readonly lost: number;
  readonly doubled: number;
  /** Milliseconds from the commit to the answer of the watch, sorted. */
  readonly latencies: readonly number[];
}

const Appended = z.looseObject({ status: z.literal('ok'), result: z.looseObject({ appended: z.string() }) });
const Page = z.looseObject({ status: z.literal('ok'), result: z.looseObject({ page: z.string() }) });

const endpoint = '/w/home/mcp';
/** The longest time until a change of the roster is told. */
const rosterMilliseconds = 700;

const tokenFor = ({ tokens }: Hammer, index: number): string => tokens[index % tokens.length] ?? '';

export const hammer = async (plan: Hammer): Promise<Hammered> => {
  const { address, watches, writers, seconds, rate, random } = plan;
  const open = (name: string, index: number): Promise<WireClient> =>
    openClient({ address, path: endpoint, token: tokenFor(plan, index) }, name);

  const pages: string[] = [];
  const pens: WireClient[] = [];
  for (let index = 0; index < writers; index += 1) {
    const pen = await open(`writer ${index}`, index);
    const made = Page.parse(await pen.typed('tilo_do', { path: 'notes#new-page', args: { title: `Page ${index}` } }));
    pages.push(`notes/${made.result.page}`);
    pens.push(pen);
  }

  const texts: string[][] = pages.map(() => []);
  const seenBy: Map<string, number>[] = [];
  const latencies: number[] = [];
  let over = false;
  let doubled = 0;
  let until = Number.POSITIVE_INFINITY;

  const eyes: WireClient[] = [];
  for (let index = 0; index < watches; index += 1) eyes.push(await open(`watch ${index}`, index));
  // Who is here is told to all: once, after the last has come.
  await sleep(rosterMilliseconds);
  until = Date.now() + seconds * 1000;

  const watch = async (eye: WireClient, index: number): Promise<void> => {
    const path = pages[index % writers] ?? '';
    const seen = new Map<string, number>();
    seenBy[index] = seen;
    let { cursor } = Watched.parse(await eye.typed('tilo_watch', { wait_ms: 0, path }));
    ready += 1;
    for (let last = false; !last; ) {
      last = over;
      const got = Watched.parse(await eye.typed('tilo_watch', { cursor, path, wait_ms: last ? 0 : 2000 }));
      const now = Date.now();
      for (const event of got.events) {
        if (event.kind !== 'change') continue;
        if (seen.has(event.change)) doubled += 1;
        seen.set(event.change, now);
        latencies.push(now - event.time_ms);
      }
      cursor = got.cursor;
      // A full page of events: there may be more.
      if (last && got.events.length >= 200) last = false;
    }
  };
  let ready = 0;
  const watching = Promise.all(eyes.map(watch));
  // Heard where it is awaited, below.
  watching.catch(() => {});
  while (ready < watches && Date.now() < until) await sleep(20);

  const write = async (index: number): Promise<void> => {
    const pen = pens[index];
    const path = `${pages[index]}#append-paragraph`;
    for (let count = 0; Date.now() < until; count += 1) {
      const answer = await pen?.typed('tilo_do', { path, args: { text: `line ${count}` } });
      texts[index]?.push(Appended.parse(answer).result.appended);
      await sleep((0.5 + random()) * (1000 / rate));
    }
  };
  await Promise.all(pens.map((_, index) => write(index)));
  over = true;
  await watching;

  const written = texts.reduce((sum, list) => sum + list.length, 0);
  let expected = 0;
  let seen = 0;
  seenBy.forEach((mine, index) => {
    expected += texts[index % writers]?.length ?? 0;
    seen += mine.size;
  });
  return {
    written,
    expected,
    seen,
    lost: Math.max(0, expected - seen),
    doubled,
    latencies: latencies.sort((a, b) => a - b),
  };
};
