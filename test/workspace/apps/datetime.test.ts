import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDatetime } from '../../../src/workspace/apps/datetime.ts';

describe('a date and time', () => {
  it.each([
    '2026-03-02T09:14:05Z',
    '2026-03-02t09:14:05z',
    '2026-03-02T09:14:05.123456+02:00',
    '2024-02-29T00:00:00-00:00',
    '2000-02-29T23:59:59-23:59',
    '2016-12-31T23:59:60Z',
    '0000-01-01T00:00:00Z',
  ])('is %s', (text) => {
    expect(isDatetime(text)).toBe(true);
  });

  it.each([
    '2026-03-02',
    '2026-03-02T09:14:05',
    '2026-03-02T09:14Z',
    '2026-03-02 09:14:05Z',
    '2026-02-29T09:14:05Z',
    '1900-02-29T09:14:05Z',
    '2026-04-31T09:14:05Z',
    '2026-00-10T09:14:05Z',
    '2026-13-10T09:14:05Z',
    '2026-03-00T09:14:05Z',
    '2026-03-02T24:00:00Z',
    '2026-03-02T09:60:05Z',
    '2026-03-02T09:14:60Z',
    '2026-03-02T09:14:05.Z',
    '2026-03-02T09:14:05+24:00',
    '2026-03-02T09:14:05+02:60',
    '2026-03-02T09:14:05+0200',
    ' 2026-03-02T09:14:05Z',
    '2026-03-02T09:14:05Z\n',
    '+02026-03-02T09:14:05Z',
    '',
  ])('is not %j', (text) => {
    expect(isDatetime(text)).toBe(false);
  });

  it('is every moment that the clock of the language prints', () => {
    const dates = fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true });
    fc.assert(fc.property(dates, (date) => isDatetime(date.toISOString())));
  });
});
