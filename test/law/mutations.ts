import { submittedTypes } from '../../schemas/vocabulary.ts';
import type { Chance } from './chance.ts';

/** Small changes of a JSON value, as a host that errs, or means harm, would make them. */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Place = Readonly<{ parent: Json[] | { [key: string]: Json }; key: string | number }>;

const placesIn = (value: Json, found: Place[] = []): Place[] => {
  if (Array.isArray(value))
    for (const [key, item] of value.entries()) {
      found.push({ parent: value, key });
      placesIn(item, found);
    }
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) {
      found.push({ parent: value, key });
      placesIn(item, found);
    }
  return found;
};

const at = ({ parent, key }: Place): Json =>
  (Array.isArray(parent) ? parent[Number(key)] : parent[String(key)]) ?? null;

const put = ({ parent, key }: Place, value: Json): void => {
  if (Array.isArray(parent)) parent[Number(key)] = value;
  else parent[String(key)] = value;
};

const words: readonly Json[] = [
  '',
  ' ',
  'x',
  'pass',
  'block',
  'remediate',
  'proceed_to_fix',
  'completed',
  'failed',
  'denied',
  'user_reported',
  'analyze_only',
  'repository.write',
  'shell.execute',
  '../../etc/passwd',
  'src/**',
  'AC-1',
  'AC-9',
  '__proto__',
  '\u0000',
  '\ud800',
  'artifact://system/roles/executor-v1',
  'repo://README.md',
  'trace://nowhere',
  'artifact://nowhere/nothing',
  'password = hunter2hunter2',
  'a'.repeat(5000),
];
const values: readonly Json[] = [null, true, false, 0, -1, 1, 2, 4001, 1e308, 0.5, [], {}, [[]], [null], { a: 1 }];

const copyOf = (value: unknown): Json => JSON.parse(JSON.stringify(value));

type Change = (place: Place, chance: Chance, body: Json) => void;

/** Texts that may stand for each other without breaking a schema: references of one scheme, or plain words. */
const schemeOf = (text: string): string => /^[a-z]+:\/\//.exec(text)?.[0] ?? '';

/** A value of the same kind, so that the schema is often satisfied and the rules are asked. */
const likely: Change = (place, chance, body) => {
  const value = at(place);
  if (typeof value === 'number') put(place, chance.of([value + 1, value - 1, 0, value * 2]));
  else if (typeof value === 'boolean') put(place, !value);
  else if (typeof value === 'string') {
    const others = placesIn(body).flatMap((other) => {
      const text = at(other);
      return typeof text === 'string' && text !== value && schemeOf(text) === schemeOf(value)
        ? [{ text, key: other.key }]
        : [];
    });
    const alike = others.filter(({ key }) => key === place.key);
    const among = alike.length > 0 ? alike : others;
    if (among.length > 0) put(place, chance.of(among).text);
  } else if (Array.isArray(value) && value.length > 0)
    put(place, chance.of([value.slice(1), value.slice(0, -1), [...value, copyOf(value[0])], [...value].reverse()]));
};

const wild: readonly Change[] = [
  (place, chance) => put(place, chance.of(words)),
  (place, chance) => put(place, chance.of(values)),
  ({ parent, key }) => {
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[String(key)];
  },
  ({ parent, key }) => {
    if (Array.isArray(parent)) parent.push(copyOf(parent[Number(key)]));
    else parent[`${key}Too`] = 1;
  },
  // Another value of the same body: references and ids change places.
  (place, chance, body) => put(place, copyOf(at(chance.of(placesIn(body))))),
  (place, chance) => {
    const value = at(place);
    if (typeof value === 'number') put(place, value + chance.of([-1, 1, 0.5, 1000]));
    else if (typeof value === 'boolean') put(place, !value);
    else if (typeof value === 'string') put(place, `${value}${chance.of(['x', '/', ' ', '-01'])}`);
    else if (Array.isArray(value)) put(place, [...value].reverse());
  },
  (place) => {
    const value = at(place);
    if (Array.isArray(value)) put(place, []);
    else put(place, [value]);
  },
];

/** A copy of a body with one or two changes. */
export const mutated = (body: object, chance: Chance): unknown => {
  const copy = copyOf(body);
  for (let left = 1 + chance.under(2); left > 0; left -= 1) {
    const places = placesIn(copy);
    const change = chance.once(4) ? chance.of(wild) : likely;
    if (places.length > 0) change(chance.of(places), chance, copy);
  }
  return copy;
};

/** Types to send a body as: its own nearly always. */
export const mutatedType = (type: string, chance: Chance): string =>
  chance.once(12) ? chance.of([...submittedTypes, 'RunEnvelope', 'ReceiptAudit', 'UserMessage', 'Poem']) : type;
