import { createController } from '../../src/controller/controller.ts';
import { openLedger } from '../../src/ledger/sqlite/sqliteLedger.ts';
import { locateStateDirectory } from '../../src/ledger/stateDirectory.ts';
import { newWorld, sampleFiles, type World } from '../sdk/world.ts';

export const runId = '3f0e7c7e-7a3c-4a5b-9a63-0d7f6d8a1c01';

/** A ledger with one run in its first phase: every time and id in it is known. */
export const recorded = async (): Promise<World> => {
  const world = newWorld(sampleFiles, 'folder');
  const ledger = openLedger(locateStateDirectory(world.env, world.root));
  const ids = [runId, '9d1c3b1e-52a4-4a5e-8a53-6f1c2f0c7a02'];
  const controller = createController({
    ledger: () => ledger,
    clock: { now: () => '2026-03-02T09:00:00.000Z' },
    ids: { uuid: () => ids.shift() ?? 'spent' },
    repositoryRoot: world.root,
    excludedRoots: [],
    brokerScope: 'envelope',
    close: () => ledger.close(),
  });
  await controller.start({ originalRequest: 'Look at the sample.', mode: 'plan_only', hostName: 'test-host' });
  controller.close();
  return world;
};

/** What differs from machine to machine taken out: the root, and the digests of bodies that hold it. */
export const general = (text: string, { root }: World): string =>
  text.replaceAll(root, '/srv/sample').replaceAll(/sha256:[0-9a-f]{64}/g, 'sha256:<digest>');
