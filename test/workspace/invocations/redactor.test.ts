import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ActionRow } from '../../../schemas/wire/answers.ts';
import type { Json } from '../../../src/workspace/apps/app.ts';
import { redactorOf, secretsIn, withoutSecrets, withStandIns } from '../../../src/workspace/invocations/secrets.ts';

const row: Pick<ActionRow, 'params'> = {
  params: [
    { name: 'user', ty: 'text', required: true },
    { name: 'password', ty: 'secret', required: true },
    { name: 'code', ty: 'Secret', required: false },
  ],
};

/** Texts that could be hidden by chance or seen by chance are no secrets. */
const secret = fc.string({ minLength: 8, unit: 'binary' }).filter((text) => !'[secret]'.includes(text));

const around = (value: string, before: string, after: string): Json => ({
  list: [before, `${before}${value}${after}`, 7],
  [`${before}${value}`]: { deep: [[value]] },
});

describe('secrets', () => {
  it('are told apart from the other arguments, however their type is spelled', () => {
    const args = { user: 'mira', password: 'swordfish', code: '1234' };
    expect(secretsIn(row, args)).toEqual({ password: 'swordfish', code: '1234' });
    expect(withStandIns(row, args)).toEqual({ user: 'mira', password: { secret: true }, code: { secret: true } });
    expect(withoutSecrets(row, args)).toEqual({ user: 'mira' });
    expect(secretsIn(row, { password: 7 })).toEqual({});
  });

  it('are taken out of every text of a value, keys too, and found in it before', () => {
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
        const redactor = redactorOf({ password: value });
        const holding = around(value, before, after);
        expect(redactor.finds(holding)).toBe(true);
        const clean = redactor.json(holding);
        expect(redactor.finds(clean)).toBe(false);
        expect(redactor.text(`a ${value} b ${JSON.stringify({ value })}`)).not.toContain(value);
      }),
    );
  });

  it('leave everything else as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const redactor = redactorOf({ password: 'no value holds this one, 4d1f' });
        const json: Json = JSON.parse(JSON.stringify(value));
        expect(redactor.json(json)).toEqual(json);
        expect(redactor.finds(json)).toBe(false);
      }),
    );
  });

  it('of a letter or a number hide nothing, and refuse nothing', () => {
    const redactor = redactorOf({ password: 'a', code: '1234' });
    expect(redactor.text('a banana')).toBe('a banana');
    expect(redactor.text('code 1234')).toBe('code [secret]');
    expect(redactor.finds({ item: '1234' })).toBe(false);
  });

  it('are taken out of a failure, its paths and next steps too', () => {
    const redactor = redactorOf({ password: 'swordfish' });
    expect(
      redactor.failure({
        code: 'no_swordfish',
        message: ['swordfish is wrong'],
        next: [['tilo_ls ', { path: 'lab/swordfish' }]],
      }),
    ).toEqual({
      code: 'no_[secret]',
      message: ['[secret] is wrong'],
      next: [['tilo_ls ', { path: 'lab/[secret]' }]],
    });
  });
});
