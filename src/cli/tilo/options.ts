import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import {
  DoArguments,
  FindArguments,
  LsArguments,
  ReadArguments,
  StatusArguments,
  WatchArguments,
} from '../../../schemas/wire/arguments.ts';

/** The options of `tilo`, as they were read; each command has those of its row. */
export interface Options {
  readonly url?: string | undefined;
  readonly workspace?: string | undefined;
  readonly account?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly kind?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly item?: string | undefined;
  readonly args?: string | undefined;
  readonly id?: string | undefined;
  readonly wait?: number | undefined;
  readonly app?: string | undefined;
  readonly cancel?: boolean | undefined;
  readonly path?: string | undefined;
  readonly follow?: boolean | undefined;
  readonly confirm?: boolean | undefined;
}

/** One option of a command. What its value may be is said and checked by the schema of the wire's argument. */
export interface Option {
  readonly flags: string;
  readonly summary: string;
  readonly value?: z.ZodType<string | number | undefined>;
}

const Bounds = z.looseObject({
  type: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});

/** The bounds of a whole number; null of anything else. */
const boundsOf = (schema: z.ZodType): string | null => {
  const { type, minimum, maximum } = Bounds.parse(z.toJSONSchema(schema, { io: 'input' }));
  return type === 'integer' ? `${minimum} to ${maximum}` : null;
};

/** What help says of an option: its summary, and the bounds of a number. */
export const described = ({ summary, value }: Option): string => {
  const bounds = value ? boundsOf(value) : null;
  return bounds === null ? summary : `${summary} (${bounds})`;
};

/** Reads the value of an option as the wire takes it. */
export const readValue =
  (schema: z.ZodType<string | number | undefined>) =>
  (text: string): string | number | undefined => {
    const bounds = boundsOf(schema);
    const parsed = schema.safeParse(bounds !== null && /^\d{1,15}$/.test(text) ? Number(text) : text);
    if (parsed.success) return parsed.data;
    if (bounds !== null) throw new InvalidArgumentError(`It takes a whole number from ${bounds}.`);
    throw new InvalidArgumentError(parsed.error.issues.map(({ message }) => message).join('; '));
  };

const kind: Option = { flags: '--kind <kind>', summary: 'only what is of this kind', value: LsArguments.shape.kind };
const wait = { flags: '--wait <ms>', value: DoArguments.shape.wait_ms };
const id = { flags: '--id <id>', value: DoArguments.shape.invocation_id };

/** Every option that a command may have, by its long name. */
export const options = {
  kind,
  rows: { flags: '--limit <n>', summary: 'rows of the page', value: LsArguments.shape.limit },
  hits: { flags: '--limit <n>', summary: 'how many', value: FindArguments.shape.limit },
  rowsFrom: { flags: '--cursor <cursor>', summary: 'the page behind this cursor', value: LsArguments.shape.cursor },
  readFrom: { flags: '--cursor <cursor>', summary: 'the page behind this cursor', value: ReadArguments.shape.cursor },
  eventsFrom: {
    flags: '--cursor <cursor>',
    summary: 'from here; from now without',
    value: WatchArguments.shape.cursor,
  },
  item: { flags: '--item <key>', summary: 'the child with this key instead', value: ReadArguments.shape.item },
  args: { flags: '--args <json>', summary: 'the arguments as one JSON object, in place of key=value' },
  doId: { ...id, summary: 'the id of the invocation: the same id never runs an action twice' },
  runId: {
    ...id,
    summary: 'the id of the program: the same id never runs it twice',
    value: DoArguments.shape.invocation_id,
  },
  doWait: { ...wait, summary: 'how long to wait for the end or the person, in milliseconds' },
  statusWait: {
    ...wait,
    summary: 'how long to wait for the end, in milliseconds',
    value: StatusArguments.shape.wait_ms,
  },
  watchWait: { ...wait, summary: 'how long to wait for something to happen', value: WatchArguments.shape.wait_ms },
  app: { flags: '--app <app>', summary: 'only in this app', value: FindArguments.shape.app },
  cancel: { flags: '--cancel', summary: 'stop it' },
  path: { flags: '--path <path>', summary: 'only changes here and below', value: WatchArguments.shape.path },
  follow: { flags: '--follow', summary: 'go on until the command is ended' },
  confirm: { flags: '--confirm', summary: 'do what a preview showed' },
} as const satisfies Record<string, Option>;
