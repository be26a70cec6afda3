import { expect, it } from 'vitest';
import { formsOf } from '../../src/grounding/content/wordForms.ts';

it.each([
  ['watched', 'watch'],
  ['watche', 'watching'],
  ['trimmed', 'trim'],
  ['trim', 'trimming'],
  ['entitie', 'entity'],
  ['dependency', 'dependencie'],
  ['retried', 'retry'],
  ['caching', 'cache'],
  ['parse', 'parsed'],
])('of %s one form is %s', (term, form) => {
  expect(formsOf(term)).toContain(form);
});

it.each(['set', 'setting', 'string', 'speed', 'x86', 'ssl'])('of %s no form is a shorter word', (term) => {
  expect(formsOf(term).filter((form) => form.length < 4 || form === 'set' || form === 'str')).toEqual([]);
});

it('are never the word itself, and few', () => {
  for (const term of ['passed', 'processing', 'classe', 'shippe', 'ied', 'wwwwed', 'needed']) {
    expect(formsOf(term)).not.toContain(term);
    expect(formsOf(term).length).toBeLessThanOrEqual(16);
  }
});
