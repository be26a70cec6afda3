import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { intentModes } from '../../schemas/vocabulary.ts';
import type { CallTool } from '../../src/sdk/index.ts';
import { analysisArguments, must, sample, serve, tokenOf } from './bed.ts';

/** telic_start_run and what it authorises, asked of the server itself. */

const start = 'telic_start_run';
const Envelope = z.object({
  artifact: z.object({ type: z.literal('RunEnvelope'), body: z.looseObject({ originalRequestRef: z.string() }) }),
});
const Message = z.object({
  artifact: z.object({ producer: z.string(), body: z.looseObject({ content: z.string() }) }),
});

/** Whether each target may be used, by the word of the server. */
const allowed = async (
  call: CallTool,
  token: Readonly<Record<string, unknown>>,
  capability: string,
  targets: readonly string[],
): Promise<readonly boolean[]> => {
  const said: boolean[] = [];
  for (const target of targets) {
    const answer = await must(call, 'telic_check_tool_action', { ...token, capability, target });
    said.push(z.object({ decision: z.object({ allowed: z.boolean() }) }).parse(answer).decision.allowed);
  }
  return said;
};

const refusals = async (call: CallTool, args: Readonly<Record<string, unknown>>): Promise<string> => {
  const answer = await call(start, args);
  return answer.ok === false ? String(answer.kind) : 'taken';
};

describe('a start', () => {
  it('stores the exact request and an envelope that refers to it [API-051] [API-052]', async () => {
    const { call } = await serve(sample());
    const request = '  What does\tthe parser do?\n\u201cQuoted\u201d \u{1F600}  ';
    const { run_id } = tokenOf(await must(call, start, { ...analysisArguments, original_request: request }));
    const { artifact } = Envelope.parse(await must(call, 'telic_get_artifact', { run_id, artifact_id: run_id }));
    const id = artifact.body.originalRequestRef.split('/').at(-1);
    const message = Message.parse(await must(call, 'telic_get_artifact', { run_id, artifact_id: id }));
    expect(message.artifact).toMatchObject({ producer: 'user', body: { content: request } });
  });

  it('takes 1 to 32,768 characters and one of five modes [API-053] [API-054]', async () => {
    const { call } = await serve(sample());
    for (const text of ['x', 'x'.repeat(32_768)])
      await must(call, start, { mode: 'plan_only', original_request: text });
    for (const text of ['', ' \n', 'x'.repeat(32_769)])
      expect(await refusals(call, { mode: 'plan_only', original_request: text })).toBe('bad_input');
    for (const mode of intentModes) await must(call, start, { mode, original_request: 'x' });
    expect(intentModes).toEqual(['report_only', 'plan_only', 'analyze_only', 'fix_only', 'analyze_and_fix']);
    for (const mode of ['fix', '', null])
      expect(await refusals(call, { mode, original_request: 'x' })).toBe('bad_input');
    expect(await refusals(call, { original_request: 'x' })).toBe('bad_input');
    expect(await refusals(call, { mode: 'plan_only' })).toBe('bad_input');
  });

  it('takes three words for native_subagents [API-057]', async () => {
    const { call } = await serve(sample());
    for (const word of ['available', 'unavailable', 'unknown'])
      await must(call, start, { ...analysisArguments, native_subagents: word });
    expect(await refusals(call, { ...analysisArguments, native_subagents: 'maybe' })).toBe('bad_input');
  });

  it('refuses 257 commands or hosts and takes 256 [API-061] [API-062]', async () => {
    const { call } = await serve(sample());
    const rights = ['shell.execute', 'network.read'];
    const base = { original_request: 'x', mode: 'fix_only', host_capabilities: rights, authorization_granted: rights };
    const lists = (count: number) => ({
      shell_execute_allowlist: Array.from({ length: count }, (_, index) => `npm run task-${index}`),
      network_read_domains: Array.from({ length: count }, (_, index) => `h${index}.example.org`),
    });
    const { shell_execute_allowlist, network_read_domains } = lists(257);
    await must(call, start, { ...base, ...lists(256) });
    expect(await refusals(call, { ...base, ...lists(1), shell_execute_allowlist })).toBe('bad_input');
    expect(await refusals(call, { ...base, ...lists(1), network_read_domains })).toBe('bad_input');
  });
});

describe('shell execution', () => {
  const listed = 'npm test';
  const base = { original_request: 'x', mode: 'fix_only' };
  const shell = ['shell.execute'];

  it('is allowed for a listed command alone, and only when host and user both name it [API-065] [API-066]', async () => {
    const { call } = await serve(sample());
    const full = { ...base, host_capabilities: shell, authorization_granted: shell, shell_execute_allowlist: [listed] };
    const granted = tokenOf(await must(call, start, full));
    expect(
      await allowed(call, granted, 'shell.execute', [
        listed,
        'npm  test',
        'npm test ',
        'npm',
        'npm test -- -u',
        'NPM test',
      ]),
    ).toEqual([true, false, false, false, false, false]);
    const hostOnly = tokenOf(await must(call, start, { ...base, host_capabilities: shell, authorization_granted: [] }));
    expect(await allowed(call, hostOnly, 'shell.execute', [listed])).toEqual([false]);
    const answer = await call(start, { ...full, host_capabilities: ['repository.read'] });
    expect(answer.ok === true ? await allowed(call, tokenOf(answer), 'shell.execute', [listed]) : [false]).toEqual([
      false,
    ]);
  });

  it.each(intentModes)('is not granted by the default of %s [API-067]', async (mode) => {
    const { call } = await serve(sample());
    const token = tokenOf(await must(call, start, { ...base, mode, host_capabilities: shell }));
    expect(await allowed(call, token, 'shell.execute', [listed])).toEqual([false]);
    expect(await refusals(call, { ...base, mode, host_capabilities: shell, shell_execute_allowlist: [listed] })).toBe(
      'bad_input',
    );
  });

  it('refuses wildcards, the old placeholder and compound commands in its list [API-068]', async () => {
    const { call } = await serve(sample());
    const full = { ...base, host_capabilities: shell, authorization_granted: shell };
    for (const command of [
      '*',
      'npm *',
      'authorized',
      'a && b',
      'a; b',
      'a | b',
      'a > b',
      'a `b`',
      'a $(b)',
      'a & b',
      'a\nb',
    ])
      expect(await refusals(call, { ...full, shell_execute_allowlist: [command] }), command).toBe('bad_input');
  });

  it('is not what shell.inspect is: that takes six names and no command [API-069] [API-070]', async () => {
    const { call } = await serve(sample());
    const token = tokenOf(await must(call, start, analysisArguments));
    const names = ['git.status', 'git.diff', 'git.log', 'network.listen', 'process.list', 'runtime.logs'];
    expect(await allowed(call, token, 'shell.inspect', names)).toEqual(names.map(() => true));
    const others = ['git status', 'ls', 'git.show', 'git.*', 'GIT.STATUS', 'git.status; ls'];
    expect(await allowed(call, token, 'shell.inspect', others)).toEqual(others.map(() => false));
  });
});

describe('network reads', () => {
  const base = { original_request: 'x', mode: 'analyze_only' };
  const network = ['network.read'];
  const full = { ...base, host_capabilities: network, authorization_granted: network };

  it('are allowed for listed hosts, whatever the port, and never for other or lower names [API-072] [API-074] [API-075]', async () => {
    const { call } = await serve(sample());
    const token = tokenOf(
      await must(call, start, { ...full, network_read_domains: ['docs.example.org', '192.0.2.7'] }),
    );
    const yes = ['https://docs.example.org/a?b', 'https://docs.example.org:8443/', 'http://192.0.2.7:81/x'];
    const no = [
      'https://example.org/',
      'https://a.docs.example.org/',
      'https://docs.example.org.evil.test/',
      'https://docs.example.org@evil.test/',
      'http://192.0.2.8/',
    ];
    expect(await allowed(call, token, 'network.read', yes)).toEqual(yes.map(() => true));
    expect(await allowed(call, token, 'network.read', no)).toEqual(no.map(() => false));
  });

  it('need the capability in both lists [API-071]', async () => {
    const { call } = await serve(sample());
    const domains = { network_read_domains: ['docs.example.org'] };
    for (const lists of [{ host_capabilities: network }, { authorization_granted: network }]) {
      const answer = await call(start, { ...base, ...lists, ...domains });
      const url = 'https://docs.example.org/';
      expect(answer.ok === true ? await allowed(call, tokenOf(answer), 'network.read', [url]) : [false]).toEqual([
        false,
      ]);
    }
  });

  it('take exact names in their list, without scheme, path, port, credentials or wildcard [API-073]', async () => {
    const { call } = await serve(sample());
    for (const entry of [
      'https://a.example',
      'a.example/x',
      'a.example:443',
      'me@a.example',
      'me:pw@a.example',
      '*.example',
      '*',
    ])
      expect(await refusals(call, { ...full, network_read_domains: [entry] }), entry).toBe('bad_input');
  });
});
