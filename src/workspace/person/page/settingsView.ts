import type { PreallowRow, Settings, TokenInfo } from '../../../../schemas/wire/person.ts';
import { type Child, h, rebuild } from './dom.ts';
import { brief, said } from './said.ts';
import { timeElement } from './timeElement.ts';
import { absolute, ago } from './times.ts';
import type { View, ViewPorts } from './view.ts';
import { troubleWords } from './words.ts';

const reaches: Readonly<Record<TokenInfo['max'], string>> = {
  read: 'may read',
  undoable: 'may change what can be taken back',
  outside: 'may ask for everything',
};

const isOver = ({ revoked_ms, expires_ms }: TokenInfo): boolean =>
  revoked_ms !== null || (expires_ms !== null && expires_ms <= Date.now());

/** Where a token is in its life. */
const lifeOf = ({ revoked_ms, expires_ms, last_used_ms }: TokenInfo): Child[] => {
  const now = Date.now();
  if (revoked_ms !== null) return ['revoked ', timeElement(revoked_ms)];
  if (expires_ms !== null && expires_ms <= now) return ['expired ', timeElement(expires_ms)];
  return [
    last_used_ms === null ? 'never used' : `last used ${ago(last_used_ms, now)}`,
    expires_ms === null ? ' · no end' : ` · until ${absolute(expires_ms, now)}`,
  ];
};

/** What the person has settled for a workspace: actions that need no asking, and the tokens that open it. */
export const createSettingsView = ({ client, workspace }: ViewPorts): View => {
  const actions = h('ul', { class: 'rows' });
  const tokens = h('ul', { class: 'rows' });
  const notice = h('p', { class: 'notice', role: 'status' });
  const element = h(
    'div',
    {},
    h('h1', { class: 'unseen-by-eyes' }, 'Settings'),
    notice,
    h(
      'section',
      {},
      h('h2', {}, 'Always allowed'),
      h(
        'p',
        { class: 'quiet' },
        'Actions that ask you first. Those you tick run here without asking, for everyone with a token that reaches so far.',
      ),
      actions,
    ),
    h(
      'section',
      {},
      h('h2', {}, 'Tokens'),
      h(
        'p',
        { class: 'quiet' },
        'What programs and agents reach this workspace with. A new one is made on the machine that serves it:',
      ),
      h('pre', {}, h('code', {}, `telic workspace token create --label NAME --workspace ${workspace}`)),
      tokens,
    ),
  );
  let shown: Settings | null = null;
  /** The token that is about to be revoked: the second press does it. */
  let sure: string | null = null;

  const tell = (
    came: Readonly<{ why: 'signed out' | 'unreachable' }> | Readonly<{ why: 'refused'; message: string }>,
  ): void => {
    notice.textContent = troubleWords(came.why, 'message' in came ? came.message : '');
  };

  const preallow = async ({ kind, action }: PreallowRow, allowed: boolean): Promise<void> => {
    const came = await client.preallow({ kind, action, allowed });
    notice.textContent = '';
    if (came.ok) shown = came.value;
    else tell(came);
    draw();
  };

  const revoke = async (id: string): Promise<void> => {
    if (sure !== id) {
      sure = id;
      draw();
      return;
    }
    sure = null;
    const came = await client.revoke(id);
    notice.textContent = '';
    if (came.ok && shown) shown = { ...shown, tokens: came.value.tokens };
    else if (!came.ok) tell(came);
    draw();
  };

  const actionRow = (row: PreallowRow): HTMLElement => {
    const box = h('input', { type: 'checkbox', 'data-key': `allow ${row.kind} ${row.action}` });
    box.checked = row.allowed;
    box.addEventListener('change', () => void preallow(row, box.checked));
    return h(
      'li',
      {},
      h(
        'label',
        { class: 'tick' },
        box,
        h(
          'span',
          {},
          said(row.label),
          ' ',
          h('span', { class: 'quiet' }, said(row.kind, 'mono'), row.destroys ? ' · takes something away' : ''),
        ),
      ),
    );
  };

  const tokenRow = (token: TokenInfo): HTMLElement =>
    h(
      'li',
      { class: isOver(token) ? 'over' : '' },
      h(
        'div',
        { class: 'aside' },
        h(
          'div',
          { class: 'grow' },
          said(brief(token.label), 'name'),
          token.workspace === null && h('span', { class: 'quiet' }, ' all workspaces'),
          h('span', { class: 'line quiet' }, `${reaches[token.max]} · `, ...lifeOf(token)),
        ),
        isOver(token)
          ? null
          : h(
              'button',
              {
                type: 'button',
                class: sure === token.id ? 'small danger' : 'small',
                'data-key': `revoke ${token.id}`,
                on: { click: () => void revoke(token.id) },
              },
              sure === token.id ? 'Revoke for good' : 'Revoke',
            ),
      ),
    );

  const draw = (): void => {
    if (shown === null) return;
    const { preallow: rows, tokens: all } = shown;
    rebuild(
      actions,
      ...(rows.length === 0
        ? [h('li', { class: 'quiet' }, 'No app here has an action that asks.')]
        : rows.map(actionRow)),
    );
    const inOrder = [...all.filter((token) => !isOver(token)), ...all.filter(isOver)];
    rebuild(
      tokens,
      ...(all.length === 0 ? [h('li', { class: 'quiet' }, 'No token opens this workspace.')] : inOrder.map(tokenRow)),
    );
  };

  return {
    title: 'Settings',
    element,
    load: async () => {
      const came = await client.settings();
      if (!came.ok) return came;
      if (JSON.stringify(came.value) !== JSON.stringify(shown)) {
        shown = came.value;
        draw();
      }
      return null;
    },
  };
};
