import { CommandError, type Terminal } from './terminal.ts';

/** The options of the commands: the values as they were written. */
export interface Options {
  readonly data?: string | undefined;
  readonly json?: boolean | undefined;
  readonly bind?: string | undefined;
  readonly port?: string | undefined;
  readonly allowHost?: readonly string[] | undefined;
  readonly repo?: readonly string[] | undefined;
  readonly person?: string | undefined;
  readonly askHours?: string | undefined;
  readonly sample?: boolean | undefined;
  readonly label?: string | undefined;
  readonly workspace?: string | undefined;
  readonly max?: string | undefined;
  readonly expires?: string | undefined;
  readonly run?: string | undefined;
  readonly out?: string | undefined;
  /** False with `--no-browser`. */
  readonly browser?: boolean | undefined;
}

/** What a command prints: as text, or with `--json` as one line of JSON. */
export interface Outcome {
  readonly text: string;
  readonly print: object;
}

export interface Option {
  readonly flags: string;
  readonly summary: string;
  /** May be given more than once. */
  readonly many?: boolean;
}

export interface Command {
  /** One word, or two for those of `token`. */
  readonly name: string;
  /** Its arguments: `<needed>`, `[optional]`. */
  readonly takes: readonly string[];
  readonly summary: string;
  readonly options: readonly Option[];
  /** Gives what to print, or the exit code when it told all by itself. */
  run(terminal: Terminal, directory: string, options: Options, args: readonly string[]): Promise<Outcome | number>;
}

const serve: Command = {
  name: 'serve',
  takes: [],
  summary: 'serve the workspaces over HTTP until a signal comes',
  options: [
    {
      flags: '--bind <address>',
      summary: 'the address to listen on (default: 127.0.0.1, and ::1 too where it is there)',
    },
    { flags: '--port <n>', summary: 'the port (default: 4747; 0 takes a free one)' },
    {
      flags: '--allow-host <name>',
      summary: 'a host name that is served too, NAME or NAME:PORT where a proxy has another port',
      many: true,
    },
    { flags: '--person <name>', summary: "the owner's name (default: the one known, or the system user's)" },
    { flags: '--ask-hours <n>', summary: 'how long an ask stays open, 1 to 168 (default: 24)' },
    { flags: '--repo <path>', summary: 'the repository of a workspace; not available in this version', many: true },
    {
      flags: '--sample',
      summary:
        'make a sample workspace when there is none, a token for it and a link to your page, and open it where there is a browser',
    },
    { flags: '--no-browser', summary: 'only print the link' },
  ],
  run: async (terminal, data, options) => {
    const { askHoursOf, notYet, portOf } = await import('./options.ts');
    if (options.repo !== undefined) throw notYet('--repo');
    const { isLoopback } = await import('../http/hostNames.ts');
    const {
      bind,
      port,
      person,
      askHours,
      allowHost: allowHosts = [],
      sample = false,
      browser = true,
      json = false,
    } = options;
    if (bind !== undefined && !isLoopback(bind) && allowHosts.length === 0)
      throw new CommandError(`To listen on ${bind}, name the hosts that are served: --allow-host NAME.`, 2);
    const serving = {
      data,
      allowHosts,
      sample,
      browser,
      ...(bind !== undefined && { bind }),
      ...(port !== undefined && { port: portOf(port) }),
      ...(person !== undefined && { person }),
      ...(askHours !== undefined && { askHours: askHoursOf(askHours) }),
    };
    const { serve: run } = await import('./serve.ts');
    return run(terminal, serving, json);
  },
};

const create: Command = {
  name: 'create',
  takes: ['<NAME>'],
  summary: 'make a workspace',
  options: [{ flags: '--label <text>', summary: 'what people read (default: the name)' }],
  run: async (_terminal, directory, { label }, [name = '']) => {
    const { withRegistry } = await import('./withRegistry.ts');
    const { firstApps } = await import('../apps/builtIn.ts');
    const shown = label ?? `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
    withRegistry(directory, (registry) => registry.createWorkspace(name, shown, firstApps));
    return { text: `Workspace ${name} is made.\n`, print: { name, label: shown } };
  },
};

const list: Command = {
  name: 'list',
  takes: [],
  summary: 'list the workspaces',
  options: [],
  run: async (_terminal, directory) => {
    const { withRegistry } = await import('./withRegistry.ts');
    const { columns } = await import('./rows.ts');
    const workspaces = withRegistry(directory, (registry) => registry.workspaces());
    const text = columns(workspaces.map(({ name, label, apps }) => [name, label, apps.join(' ')]));
    return { text, print: { workspaces } };
  },
};

const open: Command = {
  name: 'open',
  takes: ['[NAME]'],
  summary:
    'print a link to your page of a workspace, good once and for five minutes, and open it where there is a browser',
  options: [{ flags: '--no-browser', summary: 'only print the link' }],
  run: async (terminal, directory, { browser = true }, [workspace = 'home']) => {
    const { withRegistry } = await import('./withRegistry.ts');
    const { servedAt } = await import('../store/lock.ts');
    const { addressOf, defaultPort } = await import('../http/serveHost.ts');
    const code = withRegistry(directory, (registry) => registry.createLoginCode(workspace));
    const served = servedAt(directory);
    const link = `${served ?? addressOf(undefined, defaultPort, [])}/enter?code=${code}`;
    if (served === null) terminal.err('telic: No host serves this data now: start telic workspace serve first.\n');
    const { openInBrowser } = await import('./browser.ts');
    const opened = browser && served !== null && openInBrowser(terminal, link);
    return { text: `${link}\n`, print: { workspace, link, opened } };
  },
};

const exporting: Command = {
  name: 'export',
  takes: ['<NAME>'],
  summary: 'write a workspace with its history into one JSON file',
  options: [{ flags: '--out <file>', summary: 'the file to make (default: NAME.json; - is standard output)' }],
  run: async (terminal, directory, { out }, [name = '']) => {
    const { withRegistry } = await import('./withRegistry.ts');
    const { exportWorkspace } = await import('../store/exportWorkspace.ts');
    const exported = withRegistry(directory, (_registry, store) => exportWorkspace(store, name));
    const json = `${JSON.stringify(exported)}\n`;
    if (out === '-') {
      terminal.out(json);
      return 0;
    }
    const { writeNew } = await import('./writeNew.ts');
    const file = writeNew(terminal.cwd, out ?? `${name}.json`, json);
    return { text: `Workspace ${name} is in ${file}.\n`, print: { workspace: name, file } };
  },
};

const tokenCreate: Command = {
  name: 'token create',
  takes: [],
  summary: 'make a token, shown this once',
  options: [
    { flags: '--label <text>', summary: 'what it is for; its calls without a session are made under this name' },
    { flags: '--workspace <name>', summary: 'the one workspace that it opens (default: all)' },
    { flags: '--max <kind>', summary: 'how far its calls may reach: read, undoable or outside (default: outside)' },
    { flags: '--expires <time>', summary: 'how long it is good for: 15m, 12h, 30d (default: until revoked)' },
    { flags: '--run <RUN_ID>', summary: 'bind it to a governed run; not available in this version' },
  ],
  run: async (_terminal, directory, options) => {
    const { durationOf, maxOf, notYet } = await import('./options.ts');
    const { label, workspace = null, max = 'outside', expires, run } = options;
    if (run !== undefined) throw notYet('--run');
    if (label === undefined) throw new CommandError('A token needs --label.', 2);
    const { withRegistry } = await import('./withRegistry.ts');
    const { systemClock } = await import('../sources.ts');
    const kind = maxOf(max);
    const expires_ms = expires === undefined ? null : systemClock.now() + durationOf(expires);
    const { id, text } = withRegistry(directory, (registry) =>
      registry.createToken({ label, workspace, max: kind, expires_ms, run: null }),
    );
    return {
      text: `${text}\nThis is shown once. Its id, for telic workspace token revoke, is ${id}.\n`,
      print: { id, token: text, label, workspace, max: kind, expires_ms },
    };
  },
};

const tokenList: Command = {
  name: 'token list',
  takes: [],
  summary: 'list the tokens, without their texts',
  options: [],
  run: async (_terminal, directory) => {
    const { withRegistry } = await import('./withRegistry.ts');
    const { columns, tokenCells } = await import('./rows.ts');
    const { systemClock } = await import('../sources.ts');
    const tokens = withRegistry(directory, (registry) => registry.tokens());
    return { text: columns(tokens.map((row) => tokenCells(row, systemClock.now()))), print: { tokens } };
  },
};

const tokenRevoke: Command = {
  name: 'token revoke',
  takes: ['<ID>'],
  summary: 'make a token worth nothing, at once',
  options: [],
  run: async (_terminal, directory, _options, [id = '']) => {
    const { withRegistry } = await import('./withRegistry.ts');
    if (!withRegistry(directory, (registry) => registry.revokeToken(id)))
      throw new CommandError('No token that is still good has this id: telic workspace token list shows them.');
    return { text: `Token ${id} is revoked.\n`, print: { id, revoked: true } };
  },
};

/** The commands of `telic workspace`, in the order in which help shows them (workspace-wire 2.3 and 2.5). */
export const commands: readonly Command[] = [serve, create, list, open, exporting, tokenCreate, tokenList, tokenRevoke];
