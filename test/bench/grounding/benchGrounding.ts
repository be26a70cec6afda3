import { print } from '../table.ts';
import { measureRecall } from './recall.ts';
import { groundOnce, measureScale } from './scale.ts';

const [section, ...rest] = process.argv.slice(2);

if (section === 'scale') {
  process.exitCode = (await measureScale(rest.map(Number))) ? 0 : 1;
} else if (section === 'once') {
  // One grounding in a process of its own, whose memory is then known.
  print(JSON.stringify(await groundOnce(rest[0] ?? '', true)));
} else {
  process.exitCode = (await measureRecall(section === 'cases')) ? 0 : 1;
}
