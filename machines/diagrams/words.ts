import type { FactValue, Named } from './outline.ts';

/** How pictures write guards, actions and rows. */

const factWords = ([name, value]: readonly [string, FactValue]): string => {
  if (value === true) return name;
  if (value === false) return `not ${name}`;
  return value === null ? 'nothing' : `${value}`;
};

const listed = (facts: Named['facts']): readonly string[] => Object.entries(facts).map(factWords);

/** The facts of a `when`, else the name of the guard; empty for a row without one. */
export const guardWords = (guard: Named | null): string => {
  if (guard === null) return '';
  return guard.name === 'when' ? listed(guard.facts).join(', ') : [guard.name, ...listed(guard.facts)].join(' ');
};

/** An action by its name and facts: `spend revisions`, `settle nothing`, `executed not nodesCompleted`. */
export const namedWords = ({ name, facts }: Named): string => [name, ...listed(facts)].join(' ');
