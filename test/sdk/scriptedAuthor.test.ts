import { describe, expect, it } from 'vitest';
import {
  type Followed,
  followRun,
  inspectRepository,
  type Script,
  type StartRequest,
  scriptedAuthor,
} from '../../src/sdk/index.ts';
import { callOf, controllerOf, newWorld, sampleFiles, type World } from './world.ts';

const analysis: StartRequest = {
  originalRequest: 'What does the parser do, and is anything uncommitted?',
  mode: 'analyze_only',
  hostName: 'test-host',
  hostCapabilities: ['repository.read', 'shell.inspect'],
};

const follow = (world: World, script: Script = {}, over: Partial<StartRequest> = {}): Promise<Followed> =>
  followRun({
    call: callOf(controllerOf(world)),
    author: scriptedAuthor(inspectRepository(world.root, { PATH: process.env.PATH }), script),
    start: { ...analysis, ...over },
    answer: () => 'go-on',
  });

const sample = (): World => newWorld(sampleFiles, 'commit');

const submitted = (followed: Followed): readonly (string | null)[] =>
  followed.steps.filter(({ kind }) => kind === 'submitted').map(({ artifactType }) => artifactType);

describe('the scripted author', () => {
  it('brings an analysis of a repository to a completed end, each claim with its evidence', async () => {
    const followed = await follow(sample());
    expect(followed.terminal.status).toBe('completed');
    expect(submitted(followed)).toEqual([
      'ProblemFrame',
      'TaskContract',
      'PromptReview',
      'WorkPlan',
      'WorkResult',
      'WorkResult',
      'QualityReview',
      'ReleaseAudit',
      'UserReport',
    ]);
    expect(followed.report?.completionClaims.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^git status: main; the working tree is clean\. git log: .* Add the sample\.$/),
      expect.stringContaining('README.md has 3 lines and begins with “# Sample”.'),
    ]);
  });
});
