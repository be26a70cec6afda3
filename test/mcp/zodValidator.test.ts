import { describe, expect, it } from 'vitest';
import { ZodValidator } from '../../src/mcp/zodValidator.ts';

const form = {
  type: 'object',
  properties: {
    choice: { type: 'string', enum: ['go-on', 'stop'] },
    note: { type: 'string', maxLength: 5 },
  },
  required: ['choice'],
} as const;

describe('the validator that the SDK is given', () => {
  const judge = new ZodValidator().getValidator<{ choice: string }>({ ...form, required: ['choice'] });

  it('takes an answer that fits the form, as it was sent', () => {
    expect(judge({ choice: 'go-on', note: 'short' })).toEqual({
      valid: true,
      data: { choice: 'go-on', note: 'short' },
      errorMessage: undefined,
    });
  });

  it.each([
    [{}, 'choice'],
    [{ choice: 'perhaps' }, 'choice'],
    [{ choice: 'stop', note: 'far too long' }, 'note'],
  ])('refuses %j and names the field', (answer, field) => {
    const judged = judge(answer);
    expect(judged.valid).toBe(false);
    expect(judged.errorMessage).toContain(field);
  });

  it('refuses what is no object', () => {
    expect(judge('go-on').valid).toBe(false);
  });
});
