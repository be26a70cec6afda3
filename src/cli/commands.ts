import type { StateDirectory } from '../ledger/stateDirectory.ts';
import type { Command, Outcome } from './command.ts';
import { CommandError, type Terminal } from './terminal.ts';

type ReadRun = typeof import('./readRun.ts');

/** Prints what is read of runs. Commands load what they need when they run: usage and errors come at once. */
const reading = async (
  terminal: Terminal,
  repo: string | undefined,
  read: (by: ReadRun, state: StateDirectory) => object | Promise<object>,
): Promise<Outcome> => {
  const { stateOf } = await import('./repository.ts');
  return { print: await read(await import('./readRun.ts'), stateOf(terminal, repo)), exit: 0 };
};

const [runId, artifactId] = ['<RUN_ID>', '<ARTIFACT_ID>'];

/** Options of the commands that delete. */
const force = { flags: '--force', summary: 'delete runs that have not ended, too' };
const noCompact = { flags: '--no-compact', summary: 'leave the freed space in the file for later runs' };

/** The commands of `telic`, in the order in which help shows them; parsing and help are made from this table alone. */
export const commands: readonly Command[] = [
  {
    name: 'tour',
    takes: [],
    summary: 'drive one whole analysis run over MCP and show each step, the report and the trace',
    options: [{ flags: '--request <text>', summary: 'the request of the run', once: true }],
    run: async (terminal, { repo, request, json = false }) => {
      const { tour } = await import('./tour/tour.ts');
      return { exit: await tour(terminal, { repo, request, json }) };
    },
  },
  {
    name: 'mcp',
    takes: [],
    summary: 'run the MCP server for this repository over standard input and output',
    // The entry point starts the server itself when `mcp` is the first word.
    run: async () => {
      throw new CommandError(
        'mcp has to be the first word: telic mcp. The server takes TELIC_REPOSITORY_ROOT, not --repo.',
      );
    },
  },
  {
    name: 'workspace',
    takes: ['[WORDS...]'],
    summary: 'serve workspaces to programs and agents over HTTP, and manage them',
    more: async () => 'telic workspace help shows its commands.\n',
    // The entry point starts this door itself when `workspace` is the first word.
    run: async () => {
      throw new CommandError('workspace has to be the first word: telic workspace. It takes --data, not --repo.');
    },
  },
  {
    name: 'broker-gate',
    takes: [],
    summary: 'decide one native tool call of a host: its hook on standard input, one line of JSON as the answer',
    options: [
      {
        flags: '--host <host>',
        summary: 'answer in the form of this host (default: told by what stands on the input)',
      },
      { flags: '--state <dir>', summary: 'the state directory, in place of TELIC_STATE_DIR' },
      { flags: '--strict', summary: 'refuse what no run permits now, as TELIC_BROKER_STRICT=1; that variable wins' },
    ],
    // The entry point starts the gate itself when `broker-gate` is the first word.
    run: async (terminal) => {
      terminal.err(
        'telic: broker-gate has to be the first word: telic broker-gate [--repo PATH]. The call is refused.\n',
      );
      return { exit: 2 };
    },
  },
  {
    name: 'hooks',
    takes: ['<ACTION>', '<HOST>'],
    summary:
      'put the hook gate into the configuration of a host (install), take it out (remove), or tell of it (status)',
    options: [
      { flags: '--scope <scope>', summary: 'project or user (default: project, but user for codex and cline)' },
      { flags: '--no-strict', summary: 'install a gate that only judges while a run is active' },
    ],
    more: async () => (await import('./hooks.ts')).hooksHelp(),
    run: async (terminal, options, [action = '', host = '']) => ({
      print: (await import('./hooks.ts')).hooks(terminal, options, action, host),
      exit: 0,
    }),
  },
  {
    name: 'doctor',
    takes: [],
    summary: 'check the machine, the repository, the state directory and the ledger; changes nothing',
    run: async (terminal, { repo }) => {
      const { diagnose } = await import('./doctor/doctor.ts');
      const diagnosis = await diagnose(terminal, repo);
      // Everything else is told: a host asks from wherever it stands (mcp-surface section 8).
      return { print: diagnosis, exit: diagnosis.checks.node.ok ? 0 : 1 };
    },
  },
  {
    name: 'ground',
    takes: ['[PATHS...]'],
    summary: 'explain what a request would be grounded in and what would be left out, without a run',
    options: [
      {
        flags: '--explain <request>',
        summary: 'the request, in quotes; - is standard input; paths behind it are active paths',
        once: true,
      },
      { flags: '--limit <n>', summary: 'how much of the ranking to show, 1 to 1000 (default: 20)' },
      { flags: '--max-files <n>', summary: 'how many files may be selected, 1 to 256 (default: 48)' },
      { flags: '--max-file-bytes <n>', summary: 'how large one may be, 1 to 2097152 (default: 131072)' },
      { flags: '--max-total-bytes <n>', summary: 'how large all may be, 1 to 16777216 (default: 524288)' },
      { flags: '--max-inventory-files <n>', summary: 'how many are considered, 1 to 100000 (default: 20000)' },
    ],
    run: async (terminal, options, paths) => (await import('./ground.ts')).explainCommand(terminal, options, paths),
  },
  {
    name: 'runs',
    takes: [],
    summary: 'list the runs of this repository, the newest change first',
    options: [{ flags: '--limit <n>', summary: 'how many, 1 to 100 (default: 20)' }],
    run: async (terminal, { repo, limit }) => reading(terminal, repo, ({ runs }, state) => runs(state, limit)),
  },
  {
    name: 'status',
    takes: [runId],
    summary: 'show a run and the metadata of its artifacts',
    run: async (terminal, { repo }, [run = '']) => reading(terminal, repo, ({ status }, state) => status(state, run)),
  },
  {
    name: 'trace',
    takes: [runId],
    summary: 'show every event of a run',
    run: async (terminal, { repo }, [run = '']) => reading(terminal, repo, ({ trace }, state) => trace(state, run)),
  },
  {
    name: 'artifact',
    takes: [runId, artifactId],
    summary: 'show one artifact with its body',
    run: async (terminal, { repo }, [run = '', id = '']) =>
      reading(terminal, repo, ({ artifact }, state) => artifact(state, run, id)),
  },
  {
    name: 'replay',
    takes: [runId],
    summary: 'show what the trace and the digests say of a run, without bodies',
    run: async (terminal, { repo }, [run = '']) => reading(terminal, repo, ({ replay }, state) => replay(state, run)),
  },
  {
    name: 'verify',
    takes: ['[RUN_ID|FILE]'],
    summary: 'check every digest and the chain, and execute again: one run, every run of the ledger, or a bundle',
    run: async (terminal, { repo }, [what]) => {
      const report = await (await import('./verify.ts')).verify(terminal, repo, what);
      return { print: report, exit: report.ok ? 0 : 1 };
    },
  },
  {
    name: 'export',
    takes: [runId],
    summary: 'write a run into one file that can be verified without the ledger',
    options: [
      { flags: '--out <file>', summary: 'a new file; without it the bundle is printed' },
      { flags: '--statement', summary: 'the in-toto statement of the final report instead of the bundle' },
    ],
    run: async (terminal, options, [run = '']) => (await import('./exporting.ts')).exporting(terminal, options, run),
  },
  {
    name: 'import',
    takes: ['<FILE>'],
    summary: 'verify a bundle and take its run into the ledger of this repository',
    run: async (terminal, { repo }, [file = '']) => {
      const { stateOf } = await import('./repository.ts');
      const { importBundle } = await import('./bundle.ts');
      return { print: importBundle(terminal, stateOf(terminal, repo), file), exit: 0 };
    },
  },
  {
    name: 'delete',
    takes: [runId],
    summary: 'delete a run for good; its id stays, as a tombstone',
    options: [{ flags: '--yes', summary: 'delete it: without this, only what would go is told' }, force, noCompact],
    more: async () => (await import('./retentionHelp.ts')).deleteHelp(),
    run: async (terminal, options, [run = '']) => {
      const { stateOf } = await import('./repository.ts');
      const { deleteRun } = await import('./retention.ts');
      return { print: deleteRun(stateOf(terminal, options.repo), run, options), exit: 0 };
    },
  },
  {
    name: 'gc',
    takes: [],
    summary: 'delete the runs of this repository that have rested for long, and bodies that nothing names',
    options: [
      { flags: '--older-than <age>', summary: 'delete ended runs that rest for so long: 12h, 90d, 8w' },
      { flags: '--dry-run', summary: 'tell what would be deleted; change nothing' },
      force,
      noCompact,
    ],
    more: async () => (await import('./retentionHelp.ts')).gcHelp(),
    run: async (terminal, options) => {
      const { stateOf } = await import('./repository.ts');
      const { collect } = await import('./retention.ts');
      return { print: collect(stateOf(terminal, options.repo), options), exit: 0 };
    },
  },
  {
    name: 'schema',
    takes: ['<TYPE>'],
    summary: 'print the JSON Schema of an artifact type as hosts see it',
    more: async () => (await import('./types.ts')).artifactTypes(),
    run: async (_, __, [type = '']) => ({ print: (await import('./schema.ts')).schema(type), exit: 0 }),
  },
  {
    name: 'check',
    takes: ['<TYPE>', '<FILE...>'],
    summary: 'check bodies against the schema of their type; - is standard input',
    more: async () => (await import('./types.ts')).checkableTypes(),
    run: async (terminal, _, [type = '', ...files]) => {
      const report = await (await import('./check.ts')).check(terminal, type, files);
      return { print: report, exit: report.ok ? 0 : 1 };
    },
  },
  {
    name: 'diagram',
    takes: ['[MACHINE]'],
    summary: 'draw the run machine or the machine of a phase, from its definition',
    options: [
      { flags: '--format <format>', summary: 'mermaid, svg or dot (default: mermaid)' },
      { flags: '--output <file>', summary: 'write the picture into this file' },
    ],
    more: async () => (await import('./diagram.ts')).machineNames(),
    run: async (terminal, { format, output }, [machine]) => {
      const { diagram, writeDiagram } = await import('./diagram.ts');
      const drawn = await diagram(machine, format);
      if (output !== undefined) return { print: writeDiagram(terminal, drawn, output), exit: 0 };
      return { print: drawn, text: drawn.text.endsWith('\n') ? drawn.text : `${drawn.text}\n`, exit: 0 };
    },
  },
  {
    name: 'conformance',
    takes: [],
    summary: 'drive any Telic server over standard input and output, and show where it differs from the machine here',
    options: [
      { flags: '--server <command>', summary: 'the command that starts the server; split at blanks, never by a shell' },
      { flags: '--seed <n>', summary: 'what paths and sequences are drawn with (default: 1)' },
      { flags: '--runs <n>', summary: 'how many whole paths and how many random sequences (default: 60)' },
      { flags: '--report <file>', summary: 'write everything that was found into this file, as JSON' },
      { flags: '--strict', summary: 'compare the codes of refusals and every stored artifact too' },
    ],
    run: async (terminal, options) => (await import('./conformance.ts')).conformance(terminal, options),
  },
];
