import { readdir } from 'node:fs/promises';
import { isMalformedPath } from '../../../machines/permissions/pathTarget.ts';
import { protection } from '../../../machines/permissions/protectedPath.ts';
import { findSecret } from '../../../machines/secrets/content.ts';
import type { Environment } from '../../grounding/git/command.ts';
import { filterSettings } from '../../grounding/git/fingerprint.ts';
import { bindGit, type Git, whyGitFailed } from '../../grounding/git/git.ts';
import type { RunReader } from '../runReader.ts';
import type { Inspect, Look } from './look.ts';
import { type Stand, selectedFiles } from './stand.ts';
import { oneLine } from './wording.ts';

/** Really looks at a repository: named Git inspections, and the text of the files that were selected as context. */

const readFiles = 3;
const excerptLines = 40;
const excerptCharacters = 4000;
const loggedCommits = 5;

type Output = Readonly<{ ok: true; text: string }> | Readonly<{ ok: false; why: string }>;

const outputOf = async (git: Git, args: readonly string[]): Promise<Output> => {
  const { end, output } = await git.capture(args);
  return end.kind === 'exited' && end.status === 0
    ? { ok: true, text: output.toString('utf8') }
    : { ok: false, why: whyGitFailed(end) };
};

const statusFinding = (text: string): string => {
  const lines = text.split('\n').filter((line) => line !== '');
  const branch = oneLine((lines.find((line) => line.startsWith('## ')) ?? '## ?').slice(3), 80);
  const changed = lines.filter((line) => !line.startsWith('## ')).length;
  const state =
    changed === 0
      ? 'the working tree is clean'
      : `${changed} ${changed === 1 ? 'path is' : 'paths are'} changed or untracked`;
  return `git status: ${branch}; ${state}.`;
};

const statusOf = async (git: Git): Promise<Output> => {
  const filters = await filterSettings(git);
  if (!filters.ok) return filters;
  const args = [
    'status',
    '--porcelain=v1',
    '--branch',
    '--untracked-files=normal',
    '--ignore-submodules=dirty',
    '--',
    '.',
  ];
  return outputOf(git, [...filters.settings, ...args]);
};

const statusLook = (text: string): Look => ({
  capability: 'shell.inspect',
  target: 'git.status',
  kind: 'tool_output',
  contentType: 'text/plain',
  content: text || '(no output)',
  finding: statusFinding(text),
  sourceRefs: [],
  at: new Date().toISOString(),
});

const latestFinding = (line: string | undefined): string =>
  line ? `git log: the latest commit here is ${oneLine(line, 120)}.` : 'git log: there are no commits yet.';

/** @param before said first: why the status is missing */
const logLook = async (git: Git, before: string): Promise<Look> => {
  // Verifying signatures would start another program.
  const log = await outputOf(git, [
    '-c',
    'log.showSignature=false',
    'log',
    `-n${loggedCommits}`,
    '--date=short',
    '--format=%h %ad %s',
    '--',
    '.',
  ]);
  const first = log.ok ? log.text.split('\n')[0] : undefined;
  return {
    capability: 'shell.inspect',
    target: 'git.log',
    kind: 'tool_output',
    contentType: 'text/plain',
    content: log.ok && log.text !== '' ? log.text : '(no commits)',
    finding: `${before}${latestFinding(first)}`,
    sourceRefs: [],
    at: new Date().toISOString(),
  };
};

const inspectGit = async (root: string, env: Environment): Promise<readonly Look[]> => {
  const git = bindGit(root, env);
  if (git === null) throw new Error('Git is not on the path, but shell.inspect was granted.');
  const status = await statusOf(git);
  return status.ok
    ? [statusLook(status.text), await logLook(git, '')]
    : [await logLook(git, `git status was not taken: ${status.why}. `)];
};

const isReadable = (path: string, ref: string): boolean =>
  !isMalformedPath(path) &&
  protection(path, 'read') === 'open' &&
  findSecret(path) === null &&
  findSecret(ref) === null;

const fileFinding = (path: string, content: string): string => {
  if (content === '') return `${oneLine(path)} is empty.`;
  const lines = content.split('\n');
  const count = content.endsWith('\n') ? lines.length - 1 : lines.length;
  const begin = oneLine(lines.find((line) => line.trim() !== '') ?? '', 80);
  const size = `${oneLine(path)} has ${count} ${count === 1 ? 'line' : 'lines'}`;
  return begin === '' ? `${size}, all blank.` : `${size} and begins with “${begin}”.`;
};

const fileLooks = async (stand: Stand, reader: RunReader): Promise<readonly Look[]> => {
  const metas = (await reader.metas()).filter(({ type }) => type === 'ContextDocument');
  const looks: Look[] = [];
  for (const { path, ref } of selectedFiles(stand).filter((file) => isReadable(file.path, file.ref))) {
    const meta = metas.find(({ sourceRefs }) => sourceRefs.includes(ref));
    const document = meta ? await reader.artifact(meta.id) : undefined;
    if (document?.type !== 'ContextDocument') continue;
    const { content } = document.body;
    looks.push({
      capability: 'repository.read',
      target: path,
      kind: 'repository',
      contentType: 'text/plain',
      content: content.split('\n').slice(0, excerptLines).join('\n').slice(0, excerptCharacters) || '(empty file)',
      finding: fileFinding(path, content),
      sourceRefs: [ref],
      at: new Date().toISOString(),
    });
    if (looks.length === readFiles) break;
  }
  return looks;
};

/** Where no file was selected: the folder itself. */
const folderLook = async (root: string): Promise<Look> => {
  const names = (await readdir(root)).sort().filter((name) => findSecret(name) === null);
  return {
    capability: 'repository.read',
    target: '.',
    kind: 'repository',
    contentType: 'text/plain',
    content: names.slice(0, 200).join('\n') || '(no entries)',
    finding:
      names.length === 0
        ? 'The folder is empty.'
        : `No file was selected as context; the folder has ${names.length} ${names.length === 1 ? 'entry' : 'entries'}.`,
    sourceRefs: [],
    at: new Date().toISOString(),
  };
};

/** Whether Git answers for this folder: only then may `shell.inspect` be offered as a capability of the host. */
export const gitAnswers = async (root: string, env: Environment = process.env): Promise<boolean> => {
  const git = bindGit(root, env);
  if (git === null) return false;
  const answer = await outputOf(git, ['rev-parse', '--is-inside-work-tree']);
  return answer.ok && answer.text.trim() === 'true';
};

/** @param root the real path of the repository that the run is bound to */
export const inspectRepository =
  (root: string, env: Environment = process.env): Inspect =>
  async (capability, stand, reader) => {
    if (capability === 'shell.inspect') return inspectGit(root, env);
    if (capability !== 'repository.read') throw new Error(`This author cannot use ${capability}.`);
    const files = await fileLooks(stand, reader);
    return files.length > 0 ? files : [await folderLook(root)];
  };
