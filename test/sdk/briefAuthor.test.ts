import { describe, expect, it, onTestFinished } from 'vitest';
import { tourAuthor } from '../../src/cli/tour/tourAuthor.ts';
import {
  type BriefAuthorOptions,
  briefAuthor,
  type CallTool,
  type CapturedEvidence,
  connectStdio,
  fillDraft,
  followRun,
  inspectRepository,
  type Needed,
  type StartRequest,
} from '../../src/sdk/index.ts';
import { bundlePath } from '../support/bundle.ts';
import { callOf, controllerOf, newWorld, sampleFiles, type World } from './world.ts';

const analysis: StartRequest = {
  originalRequest: 'What does the parser do?',
  mode: 'analyze_only',
  hostCapabilities: ['repository.read'],
};

const inProcess = (): CallTool => callOf(controllerOf(newWorld(sampleFiles, 'commit')));

/** A piece of the first kind that is missing. */
const capture = ({ kinds }: Needed): readonly CapturedEvidence[] =>
  kinds.includes('repository') ? [{ kind: 'repository', content: '# Sample', summary: 'It has a title.' }] : [];

const answers: BriefAuthorOptions['answers'] = () => ({ text: ({ blank }) => blank.example ?? 'Said.' });

/** The server of a host that shows so many characters of an answer. */
const connected = async ({ root, env }: World, budget: number): Promise<CallTool> => {
  const connection = await connectStdio({
    command: process.execPath,
    args: [bundlePath, 'mcp'],
    cwd: root,
    env: { ...env, PATH: process.env.PATH, TELIC_REPOSITORY_ROOT: root, TELIC_ANSWER_BUDGET: String(budget) },
    onStderr: () => {},
  });
  onTestFinished(() => connection.close());
  return connection.call;
};

describe('an author that works from the brief', () => {
  it('completes a run whose Evidence and targets it is given', async () => {
    const seen: string[] = [];
    const author = briefAuthor({ capture, answers, onEvidence: (ref) => seen.push(ref) });
    const followed = await followRun({ call: inProcess(), author, start: analysis });
    expect(followed.terminal.status).toBe('completed');
    expect(seen).toEqual([`artifact://${followed.runId}/evidence-01`]);
    expect(followed.report?.verificationRefs).toEqual(seen);
  });

  it('ends partial where nothing is captured, for it makes nothing up', async () => {
    const followed = await followRun({ call: inProcess(), author: briefAuthor({ answers }), start: analysis });
    expect(followed.terminal.status).toBe('partial');
    expect((await followed.reader.record()).all('Evidence')).toEqual([]);
  });

  it('stops where a path would have to be made up', async () => {
    const lost = followRun({ call: inProcess(), author: briefAuthor({ capture }), start: analysis });
    await expect(lost).rejects.toThrow('needs an answer for actions[0].target of result-01: a path is not made up');
  });

  it('takes the variant that is chosen, and the strongest otherwise', async () => {
    const author = briefAuthor({
      capture,
      answers,
      variant: (variants) => variants.find(({ name }) => name === 'block')?.name,
    });
    const followed = await followRun({ call: inProcess(), author, start: analysis });
    expect(followed.terminal.status).toBe('blocked');
    expect(followed.steps.at(-2)).toMatchObject({ artifactType: 'UserReport' });
  });

  it('asks where no contract is possible, which the brief says first', async () => {
    const asked: string[] = [];
    const run = followRun({
      call: inProcess(),
      author: briefAuthor(),
      start: { ...analysis, authorizationGranted: [] },
      answer: ({ reason, responseChoices }) => {
        asked.push(reason);
        return responseChoices[1]?.id ?? '';
      },
    });
    const { terminal } = await run;
    expect(asked).toEqual(['permission_expanding']);
    expect(terminal.status).toBe('cancelled');
  });

  it.each([25_000, 11_500, 7500, 5000])(
    'fetches what an answer of %s characters leaves out, and nothing else',
    async (budget) => {
      const world = newWorld(sampleFiles, 'commit');
      const call = await connected(world, budget);
      const asked: unknown[] = [];
      const noting: CallTool = (tool, args) => {
        if (tool === 'telic_get_next_action') asked.push(args.parts);
        return call(tool, args);
      };
      const author = tourAuthor({
        inspect: inspectRepository(world.root, { PATH: process.env.PATH }),
        request: analysis.originalRequest,
        hasGit: true,
      });
      const followed = await followRun({
        call: noting,
        author,
        start: { ...analysis, hostCapabilities: ['repository.read', 'shell.inspect'] },
      });
      expect(followed.terminal.status).toBe('completed');
      const parts = new Set(asked.map((one) => JSON.stringify(one)));
      // One piece of Evidence after the other; schemas are for hosts that write bodies by themselves.
      expect(parts).toContain('["alternatives"]');
      expect(parts).not.toContain('["schemas"]');
      if (budget > 10_000) expect(parts.size).toBe(1);
      else expect(parts).toContain('["brief"]');
    },
  );
});

describe('fillDraft', () => {
  const draft = { id: 'a-01', items: [{ id: 'item-01', text: '' }], total: null, copy: '' };
  const text = { kind: 'text', how: '' } as const;

  it('numbers elements on, computes what follows, and leaves what is to be left', () => {
    const body = fillDraft(
      {
        draft,
        blanks: [
          { path: 'items', kind: 'list', how: '', element: { value: { id: 'item-02', text: '' }, blanks: [] } },
          { path: 'items[*].text', ...text },
          { path: 'total', kind: 'number', how: '', formula: '2*score' },
          { path: 'copy', ...text, same: 'items[1].text' },
        ],
      },
      {
        answers: {
          text: ({ path }) => path,
          choose: () => null,
          number: () => 0,
          length: () => 2,
          leaves: ({ path }) => path === 'items[0].text',
        },
      },
    );
    expect(body).toEqual({
      id: 'a-01',
      items: [
        { id: 'item-01', text: '' },
        { id: 'item-02', text: 'items[1].text' },
        { id: 'item-03', text: 'items[2].text' },
      ],
      total: null,
      copy: 'items[1].text',
    });
  });

  it('lets a list take each choice once, and a choice fill several fields', () => {
    const body = fillDraft(
      {
        draft: { refs: ['a'], kind: null, of: null },
        blanks: [
          { path: 'refs', kind: 'list', how: '', choices: ['b', '{source}'], maximum: 4 },
          { path: 'kind', kind: 'choice', how: '', choices: [{ kind: 'repository', of: '{source}' }] },
        ],
      },
      {
        sources: ['repo://x', 'repo://y'],
        answers: {
          text: () => '',
          choose: (_, choices) => choices.at(-1) ?? null,
          number: () => 0,
          length: (_, { most }) => most,
        },
      },
    );
    expect(body).toEqual({ refs: ['a', 'repo://y', 'repo://x', 'b'], kind: 'repository', of: 'repo://y' });
  });

  it('says which place a draft lacks', () => {
    const answers = { text: () => 'x', choose: () => null, number: () => 0, length: () => 0 };
    expect(() => fillDraft({ draft: {}, blanks: [{ path: 'a.b', ...text }] }, { answers })).toThrow('no place a.b');
  });
});
