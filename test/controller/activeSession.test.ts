import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newRun, type RunContext } from '../../machines/context.ts';
import { readActiveSession, trackActiveSession } from '../../src/controller/activeSession.ts';

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'telic-session-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};

const run = (runId: string, over: Partial<RunContext> = {}): RunContext => ({
  ...newRun({
    input: {
      runId,
      repositoryRoot: '/repository',
      mode: 'fix_only',
      topology: 'micro',
      priorRunId: null,
      createdAt: '2026-01-01T00:00:00.000Z',
    },
  }),
  ...over,
});

describe('the session file', () => {
  it('names the run that moved last, privately, and leaves nothing else behind', () => {
    const place = folder();
    const path = join(place, 'active-session.json');
    const track = trackActiveSession(path, () => expect.unreachable());
    track(run('run-1'));
    track(run('run-2', { version: 3 }));
    expect(readActiveSession(path)).toMatchObject({
      runId: 'run-2',
      actionId: 'action:run-2:3',
      runVersion: 3,
      requestedMode: 'fix_only',
    });
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(place)).toEqual(['active-session.json']);
  });

  it('goes when its run stops running, and stays when another run ends', () => {
    const path = join(folder(), 'active-session.json');
    const track = trackActiveSession(path, () => expect.unreachable());
    track(run('run-1'));
    track(run('run-2', { status: 'cancelled' }));
    expect(readActiveSession(path)?.runId).toBe('run-1');
    track(run('run-1', { status: 'awaiting_clarification' }));
    expect(existsSync(path)).toBe(false);
  });

  it('is no session when it is a link, torn, or says something else', () => {
    const place = folder();
    const path = join(place, 'active-session.json');
    expect(readActiveSession(path)).toBeNull();
    writeFileSync(path, '{"schemaVersion":"1.0","runId"');
    expect(readActiveSession(path)).toBeNull();
    writeFileSync(path, '{"schemaVersion":"1.0","runId":"run-1","grants":["**"]}');
    expect(readActiveSession(path)).toBeNull();
    rmSync(path);
    trackActiveSession(join(place, 'real.json'), () => expect.unreachable())(run('run-1'));
    symlinkSync(join(place, 'real.json'), path);
    expect(readActiveSession(path)).toBeNull();
  });

  it('complains in one line when it cannot be written, and replaces a link instead of following it', () => {
    const place = folder();
    const told: string[] = [];
    trackActiveSession(join(place, 'no', 'such', 'folder.json'), (why) => told.push(why))(run('run-1'));
    expect(told).toHaveLength(1);
    writeFileSync(join(place, 'victim'), 'untouched');
    const path = join(place, 'active-session.json');
    symlinkSync(join(place, 'victim'), path);
    trackActiveSession(path, () => expect.unreachable())(run('run-1'));
    expect(readFileSync(join(place, 'victim'), 'utf8')).toBe('untouched');
    expect(readActiveSession(path)?.runId).toBe('run-1');
  });

  it('is written again as soon as what kept it from being written is gone', () => {
    const place = folder();
    const path = join(place, 'active-session.json');
    const told: string[] = [];
    mkdirSync(path);
    trackActiveSession(path, (why) => told.push(why))(run('run-1'));
    expect(told).toHaveLength(1);
    expect(readdirSync(place)).toEqual(['active-session.json']);
    rmdirSync(path);
    trackActiveSession(path, () => expect.unreachable())(run('run-2'));
    expect(readActiveSession(path)?.runId).toBe('run-2');
  });

  it('is written over what a killed process with the same id left half done', () => {
    const path = join(folder(), 'active-session.json');
    writeFileSync(`${path}.${process.pid}.1`, '{"half');
    trackActiveSession(path, () => expect.unreachable())(run('run-1'));
    expect(readActiveSession(path)?.runId).toBe('run-1');
  });
});
