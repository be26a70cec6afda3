#!/usr/bin/env node
// The executable `tilo`: a client of the workspace wire.
import { runTilo } from './cli/tilo/tilo.ts';

process.exitCode = await runTilo(process.argv.slice(2));
