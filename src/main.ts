#!/usr/bin/env node
// The executable: starts the door that is asked for and loads nothing of the others.
import { protectOutput } from './mcp/protectOutput.ts';

const words = process.argv.slice(2);
if (words.length === 1 && words[0] === 'mcp') {
  // First of all, so that whatever is loaded next cannot print between the messages of the protocol.
  const output = protectOutput();
  const { serve } = await import('./mcp/serve.ts');
  await serve(output);
} else {
  const { runCli } = await import('./cli/cli.ts');
  process.exitCode = await runCli(words);
}
