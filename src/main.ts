#!/usr/bin/env node
// The executable: starts the door that is asked for and loads nothing of the others.
import { isMainThread } from 'node:worker_threads';
import { protectOutput } from './mcp/protectOutput.ts';

const words = process.argv.slice(2);
if (!isMainThread) {
  // The thread of the hook gate that reads the disk.
  const { work } = await import('./gate/worker.ts');
  await work();
} else if (words[0] === 'broker-gate' && !words.some((word) => ['-h', '--help'].includes(word))) {
  try {
    const { runGate } = await import('./gate/run.ts');
    await runGate(words.slice(1), new URL(import.meta.url));
  } catch (error) {
    // A hook that ends with any other code lets the call through.
    process.stderr.write(
      `telic: The gate cannot be loaded: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exit(2);
  }
} else if (words.length === 1 && words[0] === 'mcp') {
  // First of all, so that whatever is loaded next cannot print between the messages of the protocol.
  const output = protectOutput();
  const { serve } = await import('./mcp/serve.ts');
  await serve(output);
} else if (words[0] === 'workspace') {
  const { runWorkspace } = await import('./workspace/command/runWorkspace.ts');
  // Whatever an app of the host writes is for its owner alone.
  process.umask(0o077);
  process.exitCode = await runWorkspace(words.slice(1));
} else {
  const { runCli } = await import('./cli/cli.ts');
  process.exitCode = await runCli(words);
}
