// A program that uses a workspace: it lists, changes and reads things, asks its person, watches, and takes back what it did.
import { AskPending, connect } from 'telic/sdk';

const { TILO_URL: url = 'http://127.0.0.1:4747', TILO_TOKEN: token = '' } = process.env;
const print = (line: string): unknown => process.stdout.write(`${line}\n`);

const account = await connect({ url, token, name: 'Example' });
const home = account.workspace('home');
for await (const page of home.ls('notes')) print(`There is ${page.label}`);

const { cursor } = await home.watchOnce({ waitMs: 0 });
await home.run('Pack for the trip', async () => {
  await home.do('notes#new-page', { title: 'Packing list' });
  await home.do('notes/Packing list#append-checkbox', { text: 'Passport' });
});
const { children } = await home.read('notes/Packing list');
print(`Reads ${children.map(({ name }) => name).join(', ')}`);

try {
  await home.do('notes/Packing list#share', { with: 'sam@example.org' }, { waitMs: 0 });
} catch (error) {
  if (!(error instanceof AskPending)) throw error;
  print(`Asks at ${error.url}`); // error.wait() would wait for the decision
  await home.cancel(error.invocation_id);
}

for await (const event of home.watch({ cursor })) {
  if (event.kind === 'change') print(`Saw that ${event.by} ${event.sentence} in ${event.run}`);
  if (event.kind === 'run' && event.phase === 'cancelled') break;
}
await home.do('notes#undo', { steps: 1 }); // the whole run is one step
await account.close();
