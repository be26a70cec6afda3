// A program that uses a workspace: it lists, changes, reads, asks its person, watches, and takes back what it did.
import { AskPending, connect } from 'telic/sdk';

const { TILO_URL: url = 'http://127.0.0.1:4747', TILO_TOKEN: token = '', TILO_WORKSPACE: name = 'home' } = process.env;
const print = (line: string): unknown => process.stdout.write(`${line}\n`);
const account = await connect({ url, token, name: 'Example' });
const space = account.workspace(name);

for await (const page of space.ls('notes')) print(`There is ${page.label}`);
const { cursor } = await space.watchOnce({ waitMs: 0 });
await space.run('Pack for the trip', async () => {
  await space.do('notes#new-page', { title: 'Packing list' });
  await space.do('notes/Packing list#append-checkbox', { text: 'Passport' });
});
print(`Reads ${(await space.read('notes/Packing list')).children.map((child) => child.name).join(', ')}`);
const share = space.do('notes/Packing list#share', { with: 'sam@example.org' }, { waitMs: 0 });
const asked: unknown = await share.catch((error: unknown) => error); // asked.wait() would wait for the decision
if (asked instanceof AskPending) print(`Asks at ${asked.url}`);
await space.do('notes#undo', { steps: 1 }); // the whole run is one step
for await (const event of space.watch({ cursor })) {
  if (event.kind === 'change') print(`Saw that ${event.by} ${event.sentence}${event.undone ? ', taken back' : ''}`);
  if (event.kind === 'change' && event.undone && event.sentence.includes('Passport')) break;
}
await account.close();
