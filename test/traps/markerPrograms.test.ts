import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { git, repository, temporary, write } from '../grounding/repository.ts';
import { bundlePath } from '../support/bundle.ts';

const run = promisify(execFile);

describe('a repository whose configuration names a program in each of six settings', () => {
  it('never runs it: not in a whole run over the tools, in doctor or in an explanation', async () => {
    const place = temporary('marker-');
    const mark = join(place, 'ran');
    write(place, { program: `#!/bin/sh\necho "$0 $*" >> '${mark}'\nexit 1\n` });
    const program = join(place, 'program');
    const hooks = join(place, 'hooks');
    mkdirSync(hooks);
    write(hooks, {
      'post-index-change': `#!/bin/sh\nexec '${program}'\n`,
      'pre-commit': `#!/bin/sh\nexec '${program}'\n`,
    });
    for (const file of [program, join(hooks, 'post-index-change'), join(hooks, 'pre-commit')]) chmodSync(file, 0o755);

    const root = repository({ '.gitattributes': '* filter=evil diff=evil\n', 'a.ts': 'export const a = 1;\n' });
    const settings = {
      'core.fsmonitor': program,
      'core.hooksPath': hooks,
      'diff.external': program,
      'filter.evil.clean': program,
      'core.sshCommand': program,
      'core.pager': program,
    };
    for (const [key, value] of Object.entries(settings)) git(root, 'config', key, value);
    // Git must look at the contents again, and has something to tell of them.
    utimesSync(join(root, 'a.ts'), new Date(1_600_000_000_000), new Date(1_600_000_000_000));
    write(root, { 'b.ts': 'export const b = 2;\n' });

    const env = { ...process.env, TELIC_STATE_DIR: join(place, 'state') };
    const telic = (...words: readonly string[]) =>
      run(process.execPath, [bundlePath, '--repo', root, ...words], { env, cwd: root });
    const { stdout } = await telic('tour', '--request', 'Where is a exported in a.ts?');
    expect(stdout).toContain('completed');
    await telic('doctor');
    await telic('ground', '--explain', 'Where is a exported in a.ts?');
    expect(existsSync(mark)).toBe(false);

    // The same settings do run it where nothing keeps them from it.
    await run('git', ['status'], { cwd: root }).catch(() => {});
    expect(existsSync(mark)).toBe(true);
  });
});
