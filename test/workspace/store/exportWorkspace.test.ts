import { describe, expect, it } from 'vitest';
import { exportWorkspace } from '../../../src/workspace/store/exportWorkspace.ts';
import { account, tokenIn } from './fixtures.ts';
import { changeRow } from './work.ts';

describe('the export of a workspace', () => {
  it('holds each app’s state by keys and the history, oldest first, and nothing of another workspace', () => {
    const { store, registry } = account();
    registry.createWorkspace('studio', 'Studio', ['notes']);
    store.write('home', 'notes', [
      { key: 'page/1', value: { title: 'Garden' } },
      { key: 'block/1/2', value: 'Milk' },
    ]);
    store.write('home', 'older', [{ key: 'left', value: true }]);
    store.write('studio', 'notes', [{ key: 'theirs', value: 1 }]);
    const by = { connection: 'c', invocation: 'i' };
    changeRow(store, { ...by, seq: 40, step: 2, time_ms: 9, run: { id: 'mcp:1', title: 'Plan' }, undone: 41 });
    changeRow(store, { ...by, seq: 36, step: 1, time_ms: 8 });
    changeRow(store, { ...by, seq: 37, step: 3, time_ms: 8, workspace: 'studio' });

    const told = {
      connection: 'Desk',
      app: 'notes',
      path: 'notes/Garden',
      action: 'add',
      sentence: 'added "x"',
      by: 'Desk',
    };
    expect(exportWorkspace(store, 'home')).toEqual({
      format: 1,
      workspace: 'home',
      label: 'Home',
      apps: [
        {
          id: 'notes',
          docs: [
            ['block/1/2', 'Milk'],
            ['page/1', { title: 'Garden' }],
          ],
        },
        { id: 'older', docs: [['left', true]] },
      ],
      history: [
        { change: 'c10', step: 1, ...told, time_ms: 8, undone: false },
        { change: 'c14', step: 2, run_id: 'mcp:1', run: 'Plan', ...told, time_ms: 9, undone: true },
      ],
    });
  });

  it('is JSON that reads back the same, without tokens', () => {
    const { store, registry } = account();
    const token = tokenIn(registry);
    store.write('home', 'notes', [{ key: 'a', value: ['é', null, 1.5] }]);
    const exported = exportWorkspace(store, 'home');
    expect(JSON.parse(JSON.stringify(exported))).toEqual(exported);
    expect(JSON.stringify(exported)).not.toContain(token.id);
  });

  it('of a workspace that is not there is refused', () => {
    const { store } = account();
    expect(() => exportWorkspace(store, 'nowhere')).toThrow(expect.objectContaining({ code: 'unknown' }));
  });
});
