import { describe } from 'vitest';
import { finishes } from './finishes.ts';

describe('a host that knows nothing but the brief', () => {
  // The widest and the narrowest host that is known; those between are proven apart (blanksOnly.proof.ts).
  finishes([38_000, 7500]);
});
