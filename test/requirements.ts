import { conventions } from './requirements/api/conventions.ts';
import { families } from './requirements/api/families.ts';
import { local } from './requirements/api/local.ts';
import { reading } from './requirements/api/reading.ts';
import { starting } from './requirements/api/starting.ts';
import { submitting } from './requirements/api/submitting.ts';
import type { Requirement } from './requirements/requirement.ts';

/**
 * Every sentence of the API text that can be tested, in the order of the text (style 3). What only explains, advises a
 * host or names what no test can reach (that Telic cannot stop a call that is made around it) has no entry.
 */
export const requirements: readonly Requirement[] = [
  ...conventions,
  ...starting,
  ...submitting,
  ...reading,
  ...families,
  ...local,
];
