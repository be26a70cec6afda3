import { Instruction } from '../../schemas/expected.ts';
import type { Finding } from '../../schemas/failure.ts';

/** Mends a refused call from its findings alone, as `expected` says, without knowing any rule (guidance section 2). */

type Fields = Record<string, unknown>;

/** What was sent: arguments by their names, the body under its own. */
export type Call = Readonly<Fields & { body: unknown }>;

type Holder = Fields | unknown[];
type Place = Readonly<{ holder: Holder; key: string }>;

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null;

const read = (holder: Holder, key: string): unknown =>
  Array.isArray(holder) ? holder[Number(key)] : Object.getOwnPropertyDescriptor(holder, key)?.value;

const write = ({ holder, key }: Place, value: unknown): void => {
  if (Array.isArray(holder)) holder[Number(key)] = value;
  else holder[key] = value;
};

/** Arguments are named with underscores, or as one of these; everything else stands in the body. */
const isArgument = (name: string): boolean => name.includes('_') || name === 'body';

const placeOf = (call: Fields, path: string): Place | null => {
  const keys = path === '' ? ['body'] : path.split('.');
  const steps = isArgument(keys[0] ?? '') ? keys : ['body', ...keys];
  const key = steps.pop();
  let holder: unknown = call;
  for (const step of steps) holder = isHolder(holder) ? read(holder, step) : undefined;
  return key !== undefined && isHolder(holder) ? { holder, key } : null;
};

const bare = (key: string): string => key.replace(/[^A-Za-z0-9]/g, '').toLowerCase();

const members = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** One entry for each value: the first that has it; where none has, a copy of the last under that value. */
const oneEach = (value: unknown, { by, of }: NonNullable<Instruction['entries']>): readonly unknown[] | null => {
  const entries = members(value).filter(isHolder);
  const template = entries.at(-1);
  if (template === undefined && of.length > 0) return null;
  return of.map(
    (one) => entries.find((entry) => read(entry, by) === one) ?? { ...structuredClone(template), [by]: one },
  );
};

const onlyKnown = (value: unknown, known: readonly string[]): unknown =>
  Object.fromEntries(
    Object.entries(Object(value)).flatMap(([key, part]) => {
      const name =
        known.find((one) => one === key) ??
        known.find((one) => bare(one) === bare(key) && !Object.hasOwn(Object(value), one));
      return name === undefined ? [] : [[name, part]];
    }),
  );

/** The value that an instruction makes of another; null where the rest is left to who writes the body. */
const instructed = (value: unknown, told: Instruction): Readonly<{ value: unknown }> | null => {
  if (told.add) return { value: [...members(value), ...told.add.filter((one) => !members(value).includes(one))] };
  if (told.entries) {
    const entries = oneEach(value, told.entries);
    return entries && { value: entries };
  }
  if (told.keys) return { value: onlyKnown(value, told.keys) };
  if (told.minimum !== undefined) return { value: told.minimum };
  if (told.maximum !== undefined) return { value: told.maximum };
  if (told.maxItems !== undefined) return { value: members(value).slice(0, told.maxItems) };
  if (told.maxLength !== undefined && typeof value === 'string') return { value: value.slice(0, told.maxLength) };
  if (told.key !== undefined && told.values) return { value: told.values[0] };
  return null;
};

const isRemoval = (expected: unknown): boolean => Instruction.safeParse(expected).data?.absent === true;

/** Entries that go, the last first, so that each path still names what it named. */
const inOrder = (findings: readonly Finding[]): readonly Finding[] => {
  const [gone, rest] = [true, false].map((removal) =>
    findings.filter(({ expected }) => isRemoval(expected) === removal),
  );
  const last = (path: string): number => Number(path.split('.').at(-1));
  return [...(rest ?? []), ...(gone ?? []).toSorted((a, b) => last(b.path) - last(a.path))];
};

const remove = ({ holder, key }: Place): void => {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
};

const mendOne = (call: Fields, { path, expected }: Finding): boolean => {
  const place = placeOf(call, path);
  if (!place || expected === undefined) return false;
  if (isRemoval(expected)) {
    remove(place);
    return true;
  }
  const present = read(place.holder, place.key);
  const told = Instruction.safeParse(expected);
  if (told.success) {
    const better = instructed(present, told.data);
    if (better) write(place, better.value);
    return better !== null;
  }
  const isChoice = Array.isArray(expected) && !Array.isArray(present);
  write(place, structuredClone(isChoice ? expected[0] : expected));
  return true;
};

/**
 * The call with every finding mended that tells how.
 *
 * @param call what was refused; it stays as it is.
 * @param findings of the refusal, in their order.
 * @returns the mended call, and the findings that tell something which only its author can write.
 */
export const mend = (call: Call, findings: readonly Finding[]): Readonly<{ call: Call; left: readonly Finding[] }> => {
  const copy = structuredClone({ ...call });
  const left = inOrder(findings).filter((finding) => !mendOne(copy, finding));
  return { call: copy, left };
};

/** How often a host may try again before a refusal counts as one that does not teach. */
const most = 3;

/** A refusal that was followed: what is said in the end, and why that is the author's to write, if it is. */
export type Followed = Readonly<{
  /** The codes of the findings that tell nothing that could be followed without writing something. */
  authored: readonly string[];
  /** What is still said after the last try. */
  findings: readonly Finding[];
}>;

/**
 * Sends a call again and again, each time mended by what was said of the one before, until it is accepted or only its
 * author can go on.
 *
 * @param judge what the server says of a call; nothing when it accepts.
 */
export const follow = (call: Call, judge: (call: Call) => readonly Finding[]): Followed => {
  let [current, findings] = [call, judge(call)];
  for (let round = 0; round < most && findings.length > 0; round += 1) {
    current = mend(current, findings).call;
    findings = judge(current);
  }
  return { authored: mend(current, findings).left.map(({ code }) => code), findings };
};
