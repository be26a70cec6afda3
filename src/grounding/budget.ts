import { GroundingError } from './groundingError.ts';

/** What a caller may set; each field is a positive integer within its limit. */
export interface BudgetInput {
  readonly max_files?: number | undefined;
  readonly max_file_bytes?: number | undefined;
  readonly max_total_bytes?: number | undefined;
  readonly max_inventory_files?: number | undefined;
}

export interface Budget {
  readonly max_files: number;
  readonly max_file_bytes: number;
  readonly max_total_bytes: number;
  readonly max_inventory_files: number;
}

export const budgetDefaults: Budget = {
  max_files: 48,
  max_file_bytes: 131_072,
  max_total_bytes: 524_288,
  max_inventory_files: 20_000,
};

export const budgetLimits: Budget = {
  max_files: 256,
  max_file_bytes: 2_097_152,
  max_total_bytes: 16_777_216,
  max_inventory_files: 100_000,
};

const fields = ['max_files', 'max_file_bytes', 'max_total_bytes', 'max_inventory_files'] as const;

/**
 * Fills a budget with the defaults. Takes the caller's object; gives the four limits. Throws GroundingError
 * `invalid_arguments` for an unknown field, a fraction, or a number outside 1 and the hard limit (grounding section 1).
 */
export function resolveBudget(input: BudgetInput = {}): Budget {
  const known: readonly string[] = fields;
  for (const field of Object.keys(input)) {
    if (known.includes(field)) continue;
    throw new GroundingError('invalid_arguments', `The budget has no field ${JSON.stringify(field)}.`, [
      `Leave it out; the fields are ${fields.join(', ')}.`,
    ]);
  }
  const value = (field: (typeof fields)[number]): number => {
    const given = input[field];
    if (given === undefined) return budgetDefaults[field];
    if (Number.isInteger(given) && given >= 1 && given <= budgetLimits[field]) return given;
    throw new GroundingError('invalid_arguments', `budget.${field} is ${given}, which is no limit that works.`, [
      `Give a whole number from 1 to ${budgetLimits[field]}, or leave it out for ${budgetDefaults[field]}.`,
    ]);
  };
  return {
    max_files: value('max_files'),
    max_file_bytes: value('max_file_bytes'),
    max_total_bytes: value('max_total_bytes'),
    max_inventory_files: value('max_inventory_files'),
  };
}
