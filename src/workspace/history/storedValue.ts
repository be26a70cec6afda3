import { canonicalJson } from '../../../schemas/canonical.ts';
import type { Json } from '../apps/app.ts';

/** A value as `docs` and `ops` hold it: canonical JSON; null where nothing stands. */
export const storedText = (value: Json | null | undefined): string | null =>
  value === undefined || value === null ? null : canonicalJson(value);

/** The value of a stored text. */
export const storedValue = (text: string | null): Json | null => (text === null ? null : JSON.parse(text));
