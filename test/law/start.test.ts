import { describe, expect, it } from 'vitest';
import { emptyRecord } from '../../machines/record.ts';
import { startRules } from '../../machines/start/rules.ts';
import type { PriorFacts, StartArgs, StartFacts } from '../../machines/start/start.ts';
import { everyCapability, refusedCodes, started, startOf } from '../start/starts.ts';

/** Each rule of the start with one that breaks it and the like that keeps it (admission sections 14 and 15). */

type Args = Partial<StartArgs> & Pick<StartArgs, 'mode'>;

const refuses = (code: string, what: string, args: Args, over: Partial<StartFacts> = {}): void => {
  it(`${code} refuses ${what}`, () => {
    const outcome = startOf(args, over);
    expect(refusedCodes(outcome)).toEqual([code]);
    expect(outcome.ok ? null : outcome.code).toBe(startRules.find((rule) => rule.code === code)?.refusal);
  });
};

const accepts = (code: string, what: string, args: Args, over: Partial<StartFacts> = {}): void => {
  it(`${code} accepts ${what}`, () => {
    expect(refusedCodes(startOf(args, over))).toEqual([]);
  });
};

const many = (length: number, text: string): string[] => Array.from({ length }, (_, at) => `${text}${at}`);
const repeated = (length: number): string[] => Array.from({ length }, () => 'repository.read');
const plan = (more: Partial<StartArgs> = {}): Args => ({ mode: 'plan_only', ...more });
const web = (more: Partial<StartArgs>): Args => ({
  mode: 'analyze_only',
  hostCapabilities: ['network.read'],
  granted: ['network.read'],
  ...more,
});
const shell = (more: Partial<StartArgs>): Args => ({
  mode: 'fix_only',
  hostCapabilities: everyCapability,
  granted: ['shell.execute'],
  ...more,
});

describe('what a run is started with', () => {
  refuses('ADM-START-01', 'a blank request', plan({ originalRequest: ' \t\n' }));
  accepts('ADM-START-01', 'a request of one character', plan({ originalRequest: '?' }));
  refuses('ADM-START-02', 'a request of 32,769 characters', plan({ originalRequest: 'a'.repeat(32_769) }));
  accepts('ADM-START-02', 'a request of 32,768 characters', plan({ originalRequest: 'a'.repeat(32_768) }));
  refuses('ADM-START-03', 'a blank name of the host', plan({ hostName: ' ' }));
  accepts('ADM-START-03', 'any name of the host', plan({ hostName: 'h' }));
  refuses('ADM-START-04', '257 denied capabilities', plan({ denied: repeated(257) }));
  accepts('ADM-START-04', '256 denied capabilities', plan({ denied: repeated(256) }));
  refuses('ADM-START-05', '257 commands', shell({ commands: many(257, 'run ') }));
  accepts('ADM-START-05', '256 commands', shell({ commands: many(256, 'run ') }));
  refuses('ADM-START-06', '257 domains', web({ hosts: many(257, 'host-') }));
  accepts('ADM-START-06', '256 domains', web({ hosts: many(256, 'host-') }));
  refuses('ADM-START-07', 'commands without the grant to execute', shell({ commands: ['npm test'], granted: [] }));
  accepts('ADM-START-07', 'commands with it', shell({ commands: ['npm test'] }));
  refuses('ADM-START-08', 'domains without the grant to read the network', web({ hosts: ['a.example'], granted: [] }));
  accepts('ADM-START-08', 'domains with it', web({ hosts: ['a.example'] }));
  refuses('ADM-START-09', 'a domain with a scheme', web({ hosts: ['https://a.example'] }));
  accepts('ADM-START-09', 'a bare name, localhost and an address', web({ hosts: ['a.example', 'localhost', '::1'] }));
  refuses('ADM-START-10', 'a command with an operator', shell({ commands: ['npm test | tee log'] }));
  accepts('ADM-START-10', 'the command without it', shell({ commands: ['npm test'] }));
  refuses('ADM-START-11', 'a capability outside the vocabulary', plan({ hostCapabilities: ['repository.erase'] }));
  accepts('ADM-START-11', 'every capability of the vocabulary', plan({ hostCapabilities: everyCapability }));
  it('ADM-START-12 drops a grant that the host lacks, and says so', () => {
    const { droppedGrants } = started(
      plan({ hostCapabilities: ['repository.read'], granted: ['repository.read', 'shell.inspect'] }),
    );
    expect(droppedGrants).toEqual([{ capability: 'shell.inspect', reason: 'host' }]);
  });
  refuses('ADM-START-13', 'a micro run for a plan', plan({ topologyOverride: 'micro' }));
  accepts('ADM-START-13', 'a micro run for a short report', {
    mode: 'report_only',
    originalRequest: 'Say what this is.',
    topologyOverride: 'micro',
  });
  refuses('ADM-START-14', 'a standard run for a fix after a diagnosis', {
    mode: 'analyze_and_fix',
    topologyOverride: 'standard',
  });
  accepts('ADM-START-14', 'a standard run for a plan', plan({ topologyOverride: 'standard' }));
});

describe('a linked run', () => {
  const priorId = 'f1a1f1a1-0000-4000-8000-000000000001';
  const prior = (more: Partial<PriorFacts> = {}): Readonly<{ prior: PriorFacts }> => ({
    prior: {
      runId: priorId,
      repositoryRoot: '/srv/sample',
      status: 'completed',
      damaged: null,
      record: emptyRecord(priorId),
      ...more,
    },
  });
  const linked = plan({ priorRunId: priorId });

  refuses('ADM-LIN-01', 'one that the ledger does not hold', linked, { prior: null });
  accepts('ADM-LIN-01', 'one that it holds', linked, prior());
  refuses('ADM-LIN-02', 'one of another repository', linked, prior({ repositoryRoot: '/srv/other' }));
  accepts('ADM-LIN-02', 'one of the same repository', linked, prior());
  refuses('ADM-LIN-03', 'one that is still running', linked, prior({ status: 'running' }));
  accepts('ADM-LIN-03', 'one that was cancelled', linked, prior({ status: 'cancelled' }));
  refuses('ADM-LIN-04', 'one with a damaged artifact', linked, prior({ damaged: 'frame-01' }));
  accepts('ADM-LIN-04', 'one whose artifacts are intact', linked, prior());
});
