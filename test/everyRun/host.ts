import { join } from 'node:path';
import {
  appendLine,
  type CallTool,
  type Inspect,
  inspectRepository,
  type Look,
  type MakeChange,
} from '../../src/sdk/index.ts';
import type { World } from './world.ts';

/** What plays the host: the tools, and hands that look and change. */
export interface Host {
  readonly call: CallTool;
  readonly inspect: Inspect;
  readonly makeChange: MakeChange;
}

/** What Git says is looked up once: some hundred runs share one repository, and each look starts processes. */
const lookingOnce = (inspect: Inspect): Inspect => {
  let git: Promise<readonly Look[]> | undefined;
  return (capability, stand, reader) => {
    if (capability !== 'shell.inspect') return inspect(capability, stand, reader);
    git ??= inspect(capability, stand, reader);
    return git;
  };
};

/** One change after the other: runs side by side share the file. */
const inTurn = (makeChange: MakeChange): MakeChange => {
  let before: Promise<unknown> = Promise.resolve();
  return (stand) => {
    const change = before.then(() => makeChange(stand));
    before = change.catch(() => undefined);
    return change;
  };
};

/** The hands of a host in a world: they really look, and really change the README. */
export const handsIn = ({ root }: World): Omit<Host, 'call'> => ({
  inspect: lookingOnce(inspectRepository(root, { PATH: process.env.PATH, HOME: join(root, '..') })),
  makeChange: inTurn(appendLine(root, 'README.md', 'One line more.')),
});
