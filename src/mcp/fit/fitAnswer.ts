import { fullAnswerBudget } from '../../../schemas/vocabulary.ts';
import type { Answer } from '../present.ts';
import { actionSteps, leanSteps, sourceRows } from './actionSteps.ts';
import { bodySteps, manifestStep } from './bodySteps.ts';
import { type Budget, sizeOf } from './budget.ts';
import type { Asked, Cut, Omitted, Step } from './cut.ts';
import { fewestRows, rowSteps } from './rowSteps.ts';

const listsOfBrief: readonly string[] = ['rules', 'sources', 'variants'].map((key) => `nextAction.brief.${key}`);

/** What was left out is told before the long parts: a host that cuts cuts the middle. */
const told = ({ answer, omitted: all }: Cut): Answer => {
  if (all.length === 0) return answer;
  const whole = all.some(({ part }) => part === 'nextAction.brief');
  // Whoever fetches the brief gets its lists, or is told anew where they are.
  const omitted = all.filter(
    ({ part }, index) =>
      !(whole && listsOfBrief.includes(part)) && all.findIndex((other) => other.part === part) === index,
  );
  const { ok, next: line, run, ...rest } = answer;
  const next = whole && typeof line === 'string' ? `Fetch the brief first (omitted says how). ${line}` : line;
  return { ok, ...(next !== undefined && { next }), ...(run !== undefined && { run }), omitted, ...rest };
};

/**
 * A run is a dozen answers, and a host with little room pays for each of them: there an answer holds what its draft
 * repeats (the first three steps) only as long as it takes a third of the budget.
 */
const share = 3;

/** In this order: what a host can do without comes first. */
const steps: readonly Readonly<{ step: Step; lean: boolean }>[] = [
  ...leanSteps.map((step) => ({ step, lean: true })),
  ...[...rowSteps, manifestStep, ...actionSteps, sourceRows, ...bodySteps, ...fewestRows].map((step) => ({
    step,
    lean: false,
  })),
];

/**
 * Fits an answer to what the host shows of one: leaves parts out in a fixed order until it fits and names each in
 * `omitted`, with the call that brings it. What the caller asked for by name (`parts`, `limit`, `offset`) stays. The same
 * answer, call and budget give the same bytes (guidance section 7).
 */
export const fitAnswer = (answer: Answer, asked: Asked, budget: Budget): Answer => {
  const { most } = budget;
  const lean = most < fullAnswerBudget ? Math.floor(most / share) : most;
  let cut: Cut = { answer, omitted: [] };
  let size = sizeOf(answer, budget);
  for (const { step, lean: isLean } of steps) {
    const room = isLean ? lean : most;
    if (size <= room) continue;
    const made = step(cut.answer, { ...asked, budget, excess: size - room });
    if (made === null) continue;
    const omitted: readonly Omitted[] = [...cut.omitted, ...made.omitted];
    cut = { answer: made.answer, omitted };
    size = sizeOf(told(cut), budget);
  }
  return told(cut);
};
