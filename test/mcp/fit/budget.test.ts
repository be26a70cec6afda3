import { describe, expect, it } from 'vitest';
import { BudgetError, budgetOf, budgetSet } from '../../../src/mcp/fit/budget.ts';

describe('the budget of an answer', () => {
  it.each([
    ['@cline/core', 7950, 'quoted', true],
    ['codex-mcp-client', 11_500, 'bytes', true],
    ['qwen-cli-mcp-client-telic', 25_000, 'characters', true],
    ['gemini-cli-mcp-client', 38_000, 'characters', true],
    ['claude-code', 38_000, 'characters', true],
    ['opencode', 38_000, 'bytes', true],
    ['inspector-cli', 38_000, 'characters', false],
    [undefined, 38_000, 'characters', false],
  ])('of %s is %d, counted as that host counts', (name, most, measure, known) => {
    expect(budgetOf(name)).toEqual({ most, measure, known });
  });

  it('is what the environment says, for every host', () => {
    expect(budgetSet('12000')).toEqual({ most: 12_000, measure: 'characters', known: true });
    expect(budgetSet(undefined)).toBeNull();
    expect(budgetSet('')).toBeNull();
  });

  it.each(['3999', '-1', '1e5', '12px', 'all', '9999999999'])('is not %s', (value) => {
    expect(() => budgetSet(value)).toThrow(BudgetError);
  });
});
