import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cursorOf } from '../../../schemas/wire/cursor.ts';
import type { Connection } from '../../../src/workspace/caller.ts';
import { spoken } from '../../../src/workspace/failure.ts';
import { type Bench, failureOf, garden, type How, openBench } from './bench.ts';
import { callOf, differing, type Move, moves, type Territory } from './notebookActions.ts';

const run: How = { meta: { run: { id: 'tidy', title: 'Tidy the notebook' } } };

const territory = (...pages: readonly number[]): Territory => ({
  pages: new Set(pages.map((index) => garden[index]?.item ?? '')),
  blocks: new Set(pages.flatMap((index) => garden[index]?.blocks.map(({ item }) => item) ?? [])),
});

/** Makes a move where it can be made, and adds what it made to its territory; gives the keys that it changed. */
const make = async (
  bench: Bench,
  who: Connection,
  move: Move,
  own: Territory,
  how: How,
): Promise<readonly string[]> => {
  const call = callOf(bench, move, own);
  if (call === null) return [];
  const before = bench.docs();
  const { result } = await bench.act(who, call.path, call.args, how);
  if (typeof result === 'object' && result !== null) {
    if ('appended' in result) own.blocks.add(String(result.appended));
    if ('page' in result) own.pages.add(String(result.page));
  }
  return differing(before, bench.docs());
};

const steps = fc.array(
  fc.record({ who: fc.constantFrom<'run' | 'other' | 'own'>('run', 'other', 'own'), move: moves }),
  {
    minLength: 1,
    maxLength: 25,
  },
);

describe('the laws of undo', () => {
  it('W-40 one undo of a run restores the keys that it touched byte for byte and leaves what others changed', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (script) => {
        const bench = openBench({ pages: garden });
        const desk = bench.connect('Desk agent');
        const night = bench.connect('Night agent');
        const [mine, theirs, loose] = [territory(0), territory(1), territory(2)];
        const before = bench.docs();
        const touched = new Set<string>();
        for (const { who, move } of script) {
          if (who === 'run') for (const key of await make(bench, desk, move, mine, run)) touched.add(key);
          if (who === 'other') await make(bench, night, move, theirs, run);
          // Of the same connection, outside the run.
          if (who === 'own') await make(bench, desk, move, loose, {});
        }
        const then = bench.docs();
        const undo = bench.act(desk, 'notes#undo', { steps: 1 }, run);
        if (touched.size === 0) await expect(undo).rejects.toThrow('nothing_to_undo');
        else expect((await undo).result).toMatchObject({ steps: 1 });
        const restored = bench.docs();
        for (const key of touched) expect([key, restored.get(key)]).toEqual([key, before.get(key)]);
        expect(differing(then, restored).filter((key) => !touched.has(key))).toEqual([]);

        // And back again.
        if (touched.size > 0) {
          await bench.act(desk, 'notes#redo', {}, run);
          expect(bench.docs()).toEqual(then);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('W-40 steps outside runs are taken back one by one to the start and put back to the end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(moves, { minLength: 1, maxLength: 15 }), async (script) => {
        const bench = openBench({ pages: garden });
        const desk = bench.connect('Desk agent');
        const own = territory(0, 1, 2);
        const states = [bench.docs()];
        for (const move of script) if ((await make(bench, desk, move, own, {})).length > 0) states.push(bench.docs());
        const trail = [...states];
        for (let state = states.pop(); states.length > 0; state = states.pop()) {
          expect(bench.docs()).toEqual(state);
          await bench.act(desk, 'notes#undo');
        }
        expect(bench.docs()).toEqual(trail[0]);
        await expect(bench.act(desk, 'notes#undo')).rejects.toThrow('nothing_to_undo');
        for (const state of trail.slice(1)) {
          await bench.act(desk, 'notes#redo');
          expect(bench.docs()).toEqual(state);
        }
        await expect(bench.act(desk, 'notes#redo')).rejects.toThrow('nothing_to_redo');
      }),
      { numRuns: 40 },
    );
  });

  it('W-41 where a later change touched a key, undo changes nothing and names it; redo after undo restores', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(moves, { minLength: 1, maxLength: 12 }), fc.nat(), moves, async (script, at, other) => {
        const bench = openBench({ pages: garden });
        const desk = bench.connect('Desk agent');
        const night = bench.connect('Night agent');
        const own = territory(0, 1, 2);
        const touched = new Set<string>();
        for (const move of script) for (const key of await make(bench, desk, move, own, run)) touched.add(key);
        const after = bench.docs();
        // Somebody writes over one of the keys that the run left something at.
        const keys = [...touched].filter((key) => after.has(key));
        const key = keys[at % Math.max(1, keys.length)];
        fc.pre(key !== undefined);
        const [kind, page = '', block = ''] = key.split('/');
        await (kind === 'page'
          ? bench.act(night, `notes/${page}#rename`, { title: `${other.text}!` })
          : bench.act(night, `notes/${page}#edit-block`, { id: block, text: `${other.text}!` }));
        fc.pre(bench.docs().get(key) !== after.get(key));
        const later = bench.docs();
        const rows = (): unknown => bench.store.db.prepare('SELECT * FROM changes ORDER BY seq').all();
        const [changes, last] = [rows(), bench.history.lastChanges('home', 'notes')];
        const culprit = cursorOf(Math.max(...last.values()));

        const failure = await failureOf(bench.act(desk, 'notes#undo', {}, run));
        expect(failure.code).toBe('undo_conflict');
        expect(spoken(failure.message, null)).toContain(`(${culprit})`);
        expect(spoken(failure.message, null)).toContain('Night agent has since ');
        expect(bench.docs()).toEqual(later);
        expect(rows()).toEqual(changes);

        await bench.act(night, 'notes#undo');
        expect(bench.docs()).toEqual(after);
        await bench.act(desk, 'notes#undo', {}, run);
        await bench.act(desk, 'notes#redo', {}, run);
        expect(bench.docs()).toEqual(after);
      }),
      { numRuns: 40 },
    );
  });
});
