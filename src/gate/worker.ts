import { parentPort, workerData } from 'node:worker_threads';
import type { Asked } from './verdict.ts';

/** What the judging thread tells: the verdict, or in one sentence why there is none. */
export type Told = Readonly<{ allowed: boolean; reason: string }> | Readonly<{ fault: string }>;

/** The thread that reads the disk: it may be slow or fail, the thread that answers the host waits for neither. */
export const work = async (): Promise<void> => {
  const asked: Asked = workerData;
  const tell = (told: Told): void => parentPort?.postMessage(told);
  try {
    const { judge } = await import('./judge.ts');
    tell(await judge(asked));
  } catch (error) {
    tell({ fault: error instanceof Error ? error.message : String(error) });
  }
};
