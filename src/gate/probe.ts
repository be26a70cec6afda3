import { spawn } from 'node:child_process';
import { isJsonObject } from '../../schemas/jsonObject.ts';
import type { GateHost } from './hosts.ts';

/** Feeds the gate a call that must be refused, as the host would, to see that it really answers (hosts, requirement 11). */

export interface Probed {
  /** Whether the call was stopped. */
  readonly refuses: boolean;
  readonly milliseconds: number;
  /** What stands on standard error; tells why where the gate did not answer. */
  readonly said: string;
}

/** No tool is called so; a strict gate refuses what it does not know, and nothing is recorded for it. */
const tool = 'telic_gate_probe';

const document = (host: GateHost): object => {
  switch (host) {
    case 'cline':
      return { hookName: 'tool_call', tool_call: { id: 'probe', name: tool, input: {} } };
    case 'gemini':
      return { hook_event_name: 'BeforeTool', tool_name: tool, tool_input: {} };
    case 'cursor':
      return { hook_event_name: 'preToolUse', tool_name: tool, tool_input: {} };
    case 'opencode':
      return { hook_event_name: 'tool.execute.before', tool_name: tool, tool_input: {} };
    case 'claude':
    case 'codex':
    case 'qwen':
      return { hook_event_name: 'PreToolUse', tool_name: tool, tool_input: {} };
  }
};

/** Whether a host that reads this carries on; rubbish never stops one. */
const stops = (out: string): boolean => {
  let answer: unknown;
  try {
    answer = JSON.parse(out);
  } catch {
    return false;
  }
  if (!isJsonObject(answer)) return false;
  const { permission, decision, cancel, overrideInput, hookSpecificOutput: output } = answer;
  return (
    permission === 'deny' ||
    decision === 'deny' ||
    decision === 'block' ||
    cancel === true ||
    overrideInput !== undefined ||
    (isJsonObject(output) && (output.permissionDecision === 'deny' || output.permissionDecision === 'ask'))
  );
};

/** Far longer than the gate's own deadline. */
const patienceMilliseconds = 5000;

interface Started {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly input: string;
}

/** Runs this Node and gives what it said. */
const run = ({
  args,
  env,
  cwd,
  input,
}: Started): Promise<Readonly<{ out: string; err: string; exit: number | null }>> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd, env, timeout: patienceMilliseconds, killSignal: 'SIGKILL' });
    let out = '';
    let err = '';
    child.stdout.on('data', (piece) => {
      out += piece;
    });
    child.stderr.on('data', (piece) => {
      err += piece;
    });
    child.once('error', (error) => resolve({ out, err: error.message, exit: null }));
    child.once('close', (exit) => resolve({ out, err, exit }));
    // Who does not read what it is told has ended, which is seen by its code.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });

type Environment = Started['env'];

/** Strict whatever the caller has set: a gate that is not would let the probe through. */
const strict = (env: Environment): Environment => ({
  ...env,
  TELIC_BROKER_STRICT: '1',
  TELIC_BROKER_PERMISSIVE: undefined,
});

/**
 * Asks a gate of this installation.
 *
 * @param words what the hook gives it, from `broker-gate` on
 */
export const probeGate = async (
  host: GateHost,
  entry: string,
  words: readonly string[],
  env: Environment,
  cwd: string,
): Promise<Probed> => {
  const from = performance.now();
  const input = JSON.stringify(document(host));
  const { out, err, exit } = await run({ args: [entry, ...words], env: strict(env), cwd, input });
  const said = err.trim();
  return { refuses: stops(out) || exit === 2, milliseconds: Math.round(performance.now() - from), said };
};

/** Loads the plugin and calls its hook; that it throws is the refusal. */
const loader = (plugin: string, cwd: string): string => `
const { TelicGate } = await import(${JSON.stringify(`data:text/javascript;base64,${Buffer.from(plugin).toString('base64')}`)});
const hooks = await TelicGate({ directory: ${JSON.stringify(cwd)} });
try {
  await hooks['tool.execute.before']({ tool: ${JSON.stringify(tool)} }, { args: {} });
} catch (error) {
  process.stdout.write(JSON.stringify({ permission: 'deny', user_message: error.message }));
}`;

/**
 * Asks the gate through the plugin of OpenCode.
 *
 * @param plugin its text, which has to be one that we wrote: it is run
 */
export const probePlugin = async (plugin: string, env: Environment, cwd: string): Promise<Probed> => {
  const from = performance.now();
  const args = ['--input-type=module', '--eval', loader(plugin, cwd)];
  const { out, err } = await run({ args, env: strict(env), cwd, input: '' });
  // A plugin whose gate cannot be started refuses as well; the doctor wants to know.
  const works = stops(out) && !/cannot be started|did not answer/.test(out);
  return { refuses: works, milliseconds: Math.round(performance.now() - from), said: err.trim() };
};
