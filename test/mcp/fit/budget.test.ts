import { describe, expect, it } from 'vitest';
import { BudgetError, budgetOf, budgetSet } from '../../../src/mcp/fit/budget.ts';

describe('the budget of an answer', () => {
  it.each([
    ['@cline/core', 7500, true],
    ['codex-mcp-client', 11_500, true],
    ['qwen-cli-mcp-client-telic', 25_000, true],
    ['gemini-cli-mcp-client', 38_000, true],
    ['claude-code', 38_000, true],
    ['opencode', 38_000, true],
    ['inspector-cli', 38_000, false],
    [undefined, 38_000, false],
  ])('of %s is %d characters', (name, characters, known) => {
    expect(budgetOf(name)).toEqual({ characters, known });
  });

  it('is what the environment says, for every host', () => {
    expect(budgetSet('12000')).toEqual({ characters: 12_000, known: true });
    expect(budgetSet(undefined)).toBeNull();
    expect(budgetSet('')).toBeNull();
  });

  it.each(['3999', '-1', '1e5', '12px', 'all', '9999999999'])('is not %s', (value) => {
    expect(() => budgetSet(value)).toThrow(BudgetError);
  });
});
