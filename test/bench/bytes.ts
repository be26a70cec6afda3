import { hostSchema } from '../../schemas/jsonSchema.ts';
import { artifactTypes } from '../../schemas/vocabulary.ts';
import type { Script, StartRequest } from '../../src/sdk/index.ts';
import { type Bench, openBoth } from './benchWorld.ts';
import { analysis, followOne } from './runs.ts';
import { connectSurface } from './surfaceClient.ts';
import { print, printTable } from './table.ts';

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const fixing: StartRequest = {
  ...analysis,
  originalRequest: 'Add a line to README.md.',
  hostCapabilities: ['repository.read', 'repository.write'],
};

/** Every mode, from start to report. */
const runs: readonly (readonly [name: string, start: StartRequest, script?: Script])[] = [
  ['report_only', { ...analysis, mode: 'report_only' }],
  ['plan_only', { ...analysis, mode: 'plan_only' }],
  ['analyze_only', analysis],
  ['analyze_only, revised and remediated', analysis, { review: ['revise'], quality: ['remediate'] }],
  ['analyze_only, forensic', { ...analysis, topologyOverride: 'forensic' }],
  ['fix_only', { ...fixing, mode: 'fix_only' }],
  ['fix_only, forensic', { ...fixing, mode: 'fix_only', topologyOverride: 'forensic' }],
  [
    'analyze_and_fix',
    {
      ...analysis,
      mode: 'analyze_and_fix',
      hostCapabilities: ['repository.read', 'repository.write', 'shell.inspect'],
    },
  ],
];

/** How much a host is made to read: the answers of whole runs, the list of tools, the schemas of the bodies. */
export const measureBytes = async (bench: Bench): Promise<void> => {
  const { controller } = openBoth(bench.newState());
  const client = await connectSurface(controller);
  const rows: (readonly string[])[] = [];
  for (const [name, start, script] of runs) {
    client.calls.length = 0;
    const { run, terminal } = await followOne(client.call, bench.root, start, script);
    const largest = client.calls.reduce((most, one) => (one.answerBytes > most.answerBytes ? one : most));
    // The driver's own reading is its choice; what moves a run is what every host must read.
    const moves = client.calls.filter(({ tool }) => tool !== 'telic_get_run' && tool !== 'telic_get_artifact');
    const sum = (of: readonly { answerBytes: number }[]): number => of.reduce((all, one) => all + one.answerBytes, 0);
    rows.push([
      name,
      run.topology,
      terminal.status,
      String(client.calls.length),
      String(sum(client.calls)),
      String(moves.length),
      String(sum(moves)),
      String(client.calls.reduce((all, one) => all + one.wireBytes, 0)),
      String(largest.answerBytes),
      `${largest.tool}${largest.args.artifact_type ? ` ${String(largest.args.artifact_type)}` : ''}`,
    ]);
  }
  printTable(
    '4a. Bytes of the answers of one whole run (each answer counted once; on the wire it stands as text and as structure)',
    ['run', 'topology', 'end', 'calls', 'bytes', 'moving calls', 'their bytes', 'wire bytes', 'largest', 'of'],
    rows,
  );
  const { result } = await client.request('tools/list');
  print(`tools/list: ${bytesOf(result)} bytes (limit 10240)`);
  const schemas = artifactTypes.map((type) => [type, bytesOf(hostSchema(type))] as const);
  printTable(
    '4b. Host schema of each type (limit 5000)',
    ['type', 'bytes'],
    [
      ...schemas.map(([type, bytes]) => [type, String(bytes)]),
      ['all', String(schemas.reduce((all, [, bytes]) => all + bytes, 0))],
    ],
  );
  await client.close();
  controller.close();
};
