import { answered, type GateStart, gateWords } from './command.ts';

/** The hosts whose hook is a file of its own: a plugin of OpenCode, an executable of Cline. */

/** By this line the file is known again, and nothing else is ever taken away. */
const mark = 'Telic hook gate: written by telic hooks install, taken away by telic hooks remove.';

/** Seconds that the plugin waits for the gate, whose own deadline is far shorter. */
const patienceMilliseconds = 5000;

const pluginText = (start: GateStart): string => {
  const [program = '', ...args] = gateWords(start);
  return `// ${mark}
import { spawn } from 'node:child_process';

const program = ${JSON.stringify(program)};
const args = ${JSON.stringify(args)};

// What the gate says of one call; whatever keeps it from answering is a refusal.
const ask = (document) =>
  new Promise((resolve) => {
    const refuse = (why) => resolve({ permission: 'deny', user_message: 'Telic refuses this call: ' + why });
    try {
      const gate = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
      const timer = setTimeout(() => {
        gate.kill('SIGKILL');
        refuse('the gate did not answer.');
      }, ${patienceMilliseconds});
      let out = '';
      gate.stdout.on('data', (piece) => {
        out += piece;
      });
      gate.on('error', (error) => {
        clearTimeout(timer);
        refuse('the gate cannot be started (' + error.message + ').');
      });
      gate.on('close', () => {
        clearTimeout(timer);
        try {
          resolve(JSON.parse(out));
        } catch {
          refuse('the gate did not answer.');
        }
      });
      gate.stdin.on('error', () => {});
      gate.stdin.end(JSON.stringify(document));
    } catch (error) {
      refuse('the gate cannot be started (' + error + ').');
    }
  });

export const TelicGate = async ({ directory }) => ({
  'tool.execute.before': async (input, output) => {
    const answer = await ask({
      hook_event_name: 'tool.execute.before',
      tool_name: input.tool,
      tool_input: output.args,
      session_id: input.sessionID,
      cwd: directory,
    });
    if (!answer || answer.permission !== 'allow')
      throw new Error((answer && answer.user_message) || 'Telic refuses this call.');
  },
});
`;
};

/** Cline takes no exit code as a refusal, so the script itself says it when the gate cannot. */
const scriptText = (start: GateStart): string => `#!/bin/sh
# ${mark}
${answered(gateWords(start))} ||
  printf '%s\\n' '{"cancel":true,"errorMessage":"Telic refuses this call: the gate gave no answer.","contextModification":""}'
`;

/** The whole text of the hook's file. */
export const ownFile = (start: GateStart): Readonly<{ text: string; mode: number }> =>
  start.host === 'cline' ? { text: scriptText(start), mode: 0o755 } : { text: pluginText(start), mode: 0o644 };

export const isOwnFile = (text: string): boolean => text.includes(mark);

/** The words with which such a file starts the gate; null when it was changed beyond recognition. */
export const wordsOfOwnFile = (text: string, split: (command: string) => readonly string[] | null) => {
  const plugin = /^const program = (".*");\nconst args = (\[.*\]);$/m.exec(text);
  if (plugin?.[1] !== undefined && plugin[2] !== undefined) {
    const words: unknown = JSON.parse(`[${plugin[1]},${plugin[2].slice(1)}`);
    return Array.isArray(words) ? words.filter((word) => typeof word === 'string') : null;
  }
  const line = /^(.*) \|\|$/m.exec(text)?.[1];
  return line === undefined ? null : split(line);
};
