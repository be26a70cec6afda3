import { describe, expect, it } from 'vitest';
import { ContextManifestWire } from '../../schemas/artifacts/manifestWire.ts';
import { instructedDirectory } from '../../src/grounding/instructions.ts';
import { groundIn, repository, temporary, write } from './repository.ts';

describe('instruction files', () => {
  it.each([
    ['AGENTS.md', '.'],
    ['CLAUDE.md', '.'],
    ['CODEX.md', '.'],
    ['GEMINI.md', '.'],
    ['.cursorrules', '.'],
    ['.windsurfrules', '.'],
    ['.clinerules', '.'],
    ['AGENTS.override.md', '.'],
    ['CLAUDE.local.md', '.'],
    ['.github/copilot-instructions.md', '.'],
    ['.claude/CLAUDE.md', '.'],
    ['packages/web/AGENTS.md', 'packages/web'],
    ['packages/web/.github/copilot-instructions.md', 'packages/web'],
    ['.roo/rules/a.md', '.'],
    ['.ROO/Rules/a.md', '.'],
    ['.roo/rules-code/a.md', '.'],
    ['.cursor/rules/deep/a.mdc', '.'],
    ['packages/web/.cursor/rules/a.mdc', 'packages/web'],
    ['.agents/rules/a.md', '.'],
    ['.github/instructions/a.md', '.'],
    ['.clinerules/a.md', '.'],
    ['.windsurf/rules/a.md', '.'],
    ['.kiro/steering/a.md', '.'],
    ['.junie/guidelines.md', '.'],
  ])('%j speaks to %j', (path, directory) => {
    expect(instructedDirectory(path, true)).toBe(directory);
  });

  it.each([
    'agents.md',
    'src/AGENTS.ts',
    'sub/.roo/rules/a.md',
    '.roo/rules',
    'docs/rules/a.md',
    'README.md',
    '.cursor/rules.md',
  ])('%j is none', (path) => {
    expect(instructedDirectory(path, true)).toBeNull();
  });

  it('private to a user are instructions only where tracked', () => {
    expect(instructedDirectory('CLAUDE.local.md', false)).toBeNull();
  });

  const monorepo = {
    'AGENTS.md': 'root',
    'packages/a/AGENTS.md': 'a',
    'packages/a/src/CLAUDE.md': 'a src',
    'packages/a/src/x.ts': 'x',
    'packages/b/AGENTS.md': 'b',
    'packages/b/y.ts': 'y',
  };
  const pinned = async (input: Parameters<typeof groundIn>[1]): Promise<string[]> => {
    const { wire } = await groundIn(repository(monorepo), input);
    return wire.selected_sources
      .filter((source) => source.pinned)
      .map(({ path }) => path)
      .sort();
  };

  it('are pinned at the root and on the way to an active path only', async () => {
    expect(await pinned({})).toEqual(['AGENTS.md']);
    expect(await pinned({ activePaths: ['packages/a'] })).toEqual(['AGENTS.md', 'packages/a/AGENTS.md']);
    expect(await pinned({ activePaths: ['packages/a/src/new.ts'] })).toEqual([
      'AGENTS.md',
      'packages/a/AGENTS.md',
      'packages/a/src/CLAUDE.md',
    ]);
  });

  it('are pinned on the way to a path that the request spells out', async () => {
    expect(await pinned({ request: 'Mend packages/b/y.ts' })).toEqual(['AGENTS.md', 'packages/b/AGENTS.md']);
    expect(await pinned({ request: 'Mend Packages/B' })).toEqual(['AGENTS.md', 'packages/b/AGENTS.md']);
    expect(await pinned({ request: 'Mend src/x.ts' })).toEqual([
      'AGENTS.md',
      'packages/a/AGENTS.md',
      'packages/a/src/CLAUDE.md',
    ]);
  });

  it('leave a manifest that holds, whatever the directory is named', async () => {
    const directory = [226, 225, 225].map((length) => '\u0001'.repeat(length)).join('/');
    const root = temporary();
    write(root, { [`${directory}/AGENTS.md`]: 'rules' });
    const { wire } = await groundIn(root, { activePaths: [directory] }, { env: { PATH: '' } });
    expect(wire.selected_sources[0]?.reason).toContain('Repository instruction for the directory');
    expect(ContextManifestWire.safeParse(wire).error).toBeUndefined();
  });

  it('of other directories are ranked as ordinary files, with a boost and without trust', async () => {
    const { wire, documents } = await groundIn(repository(monorepo), { activePaths: ['packages/a/src/x.ts'] });
    const other = wire.selected_sources.find(({ path }) => path === 'packages/b/AGENTS.md');
    expect(other).toMatchObject({ pinned: false, score: 200 });
    expect(
      documents.map(({ repositoryRef, trustKind, instructionScope }) => [repositoryRef, trustKind, instructionScope]),
    ).toEqual([
      ['repo://packages/a/src/x.ts', 'untrusted_repository_content', null],
      ['repo://AGENTS.md', 'applicable_instruction', '.'],
      ['repo://packages/a/AGENTS.md', 'applicable_instruction', 'packages/a'],
      ['repo://packages/a/src/CLAUDE.md', 'applicable_instruction', 'packages/a/src'],
      ['repo://packages/b/AGENTS.md', 'untrusted_repository_content', null],
      ['repo://packages/b/y.ts', 'untrusted_repository_content', null],
    ]);
  });

  it('at the root are pinned although ignored', async () => {
    const root = repository({ '.gitignore': '*\n' });
    write(root, { 'AGENTS.md': '1', 'CLAUDE.md': '2', '.github/copilot-instructions.md': '3', 'sub/AGENTS.md': '4' });
    const { wire } = await groundIn(root);
    expect(wire.pinned_refs).toEqual([
      'repo://.github/copilot-instructions.md',
      'repo://AGENTS.md',
      'repo://CLAUDE.md',
    ]);
  });
});
