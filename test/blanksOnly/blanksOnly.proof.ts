import { describe } from 'vitest';
import { finishes } from './finishes.ts';

describe('a host that knows nothing but the brief', () => {
  finishes([38_000, 25_000, 11_500]);
});
