import { Worker } from 'node:worker_threads';
import { readHostCall } from '../../machines/permissions/hostCall.ts';
import { isJsonObject } from '../../schemas/jsonObject.ts';
import { type Answer, allowing, asking, type Form, formOf, refusing } from './form.ts';
import { isStrict, readWords } from './request.ts';
import type { Asked } from './verdict.ts';
import type { Told } from './worker.ts';

/**
 * `telic broker-gate`: decides one native tool call of a host. Whatever fails on the way, the host is refused in its own
 * form: a hook that crashes, hangs or says something else lets the call through in every host (hosts section 7).
 */

/** What the gate uses of the process; tests give their own. */
export interface GatePorts {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
  readonly input: AsyncIterable<Uint8Array>;
  /** The module that judges when it is started as a worker. */
  readonly entry: URL;
  /** How many milliseconds are left until the answer has to be out. */
  readonly patience: number;
}

/** As much as one message of the protocol may hold (decisions 12); a longer document is not read to its end. */
export const longestInput = 16 * 1024 * 1024;

const unclear = 'Telic refuses this call: ';

const readAll = async (input: AsyncIterable<Uint8Array>): Promise<string | null> => {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of input) {
    length += piece.length;
    if (length > longestInput) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
};

/** The parsed document; a text that is no JSON is as malformed as one that is no object. */
const parse = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
};

const told = (value: unknown): value is Told => isJsonObject(value) && ('allowed' in value || 'fault' in value);

/** Asks the thread that reads the disk. Its faults are told, never thrown. */
const askWorker = (entry: URL, asked: Asked): Promise<Told> =>
  new Promise((resolve) => {
    const worker = new Worker(entry, { workerData: asked, stdout: true, stderr: true });
    worker.once('message', (message: unknown) => resolve(told(message) ? message : { fault: 'it told nothing' }));
    worker.once('error', (error) => resolve({ fault: error.message }));
    worker.once('exit', (code) => resolve({ fault: `it ended with ${code}` }));
  });

const hostDirectoryOf = (document: unknown): string | null => {
  const cwd = isJsonObject(document) ? document.cwd : null;
  return typeof cwd === 'string' && cwd.startsWith('/') ? cwd : null;
};

interface Known {
  form: Form;
  document: unknown;
}

const answerTo = async (words: readonly string[], ports: GatePorts, known: Known): Promise<Answer> => {
  const started = readWords(words);
  if (started === null)
    return refusing('plain', null, `${unclear}the gate was started with words that it does not know.`);
  known.form = formOf(null, started.host);
  const strict = isStrict(ports.env, started.strict);
  const text = await readAll(ports.input);
  if (text === null) return refusing(known.form, null, `${unclear}it is longer than ${longestInput} bytes.`);
  const document = parse(text);
  const form = formOf(document, started.host);
  Object.assign(known, { form, document });

  const call = readHostCall(document);
  switch (call.kind) {
    case 'pass':
      return allowing(form);
    case 'malformed':
      return strict
        ? refusing(form, document, `${unclear}what the host sent is no JSON object.`)
        : { ...allowing(form), err: 'Telic did not check this call: what the host sent is no JSON object.' };
    case 'unknown':
      if (!strict) return { ...allowing(form), err: 'Telic did not check this call: it does not know the tool.' };
      return (isNamed(document) ? asking : refusing)(
        form,
        document,
        `${unclear}it does not know what this tool does with these arguments.`,
      );
    case 'requests': {
      const { cwd } = ports;
      const { repo, state } = started;
      const env = state === null ? ports.env : { ...ports.env, TELIC_STATE_DIR: state };
      const { requests } = call;
      const hostDirectory = hostDirectoryOf(document);
      const verdict = await askWorker(ports.entry, { requests, strict, cwd, hostDirectory, repo, env, host: form });
      if ('fault' in verdict) return refusing(form, document, `${unclear}it could not be judged (${verdict.fault}).`);
      return verdict.allowed ? { ...allowing(form), err: verdict.reason } : refusing(form, document, verdict.reason);
    }
  }
};

/** Whether there is a tool at all that a user could be asked about. */
const isNamed = (document: unknown): boolean => isJsonObject(document) && Object.keys(document).length > 0;

/**
 * The answer to one hook call; never later than `patience`, never an exception.
 *
 * @param words the words after `broker-gate`
 */
export const gate = async (words: readonly string[], ports: GatePorts): Promise<Answer> => {
  const known: Known = { form: 'plain', document: null };
  const refuse = (why: string): Answer => refusing(known.form, known.document, `${unclear}${why}`);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Answer>((resolve) => {
    timer = setTimeout(
      () => resolve(refuse('it could not be judged in time, as the machine is busy. Make the same call again.')),
      ports.patience,
    );
  });
  try {
    return await Promise.race([late, answerTo(words, ports, known)]);
  } catch (error) {
    return refuse(`the gate failed (${error instanceof Error ? error.message : String(error)}).`);
  } finally {
    clearTimeout(timer);
  }
};
