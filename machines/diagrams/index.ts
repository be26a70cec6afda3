import { invocationMachine } from '../invocation/invocation.ts';
import { auditMachine } from '../phases/audit.ts';
import { clarificationMachine } from '../phases/clarification.ts';
import { contractMachine } from '../phases/contract.ts';
import { executeMachine } from '../phases/execute.ts';
import { frameMachine } from '../phases/frame.ts';
import { groundMachine } from '../phases/ground.ts';
import { planMachine } from '../phases/plan.ts';
import { qualityMachine } from '../phases/quality.ts';
import { reportMachine } from '../phases/report.ts';
import { reviewMachine } from '../phases/review.ts';
import { terminalMachine } from '../phases/terminal.ts';
import { runMachine } from '../run.ts';
import { dotOf } from './dot.ts';
import { mermaidOf } from './mermaid.ts';
import { type MachineLike, type OutlineState, outlineOf } from './outline.ts';
import { pictureOf } from './picture.ts';
import { svgOf } from './svg.ts';

const machines = {
  run: runMachine,
  ground: groundMachine,
  frame: frameMachine,
  contract: contractMachine,
  review: reviewMachine,
  plan: planMachine,
  execute: executeMachine,
  quality: qualityMachine,
  audit: auditMachine,
  report: reportMachine,
  clarification: clarificationMachine,
  terminal: terminalMachine,
  invocation: invocationMachine,
} as const satisfies Record<string, MachineLike>;

export type DiagramName = keyof typeof machines;
export type DiagramFormat = 'mermaid' | 'dot' | 'svg';

/** The machines that can be drawn: the run machine, a phase each in the order of a run, and the life of a workspace action. */
export const diagramNames: readonly DiagramName[] = Object.keys(machines).filter(
  (name): name is DiagramName => name in machines,
);
export const diagramFormats: readonly DiagramFormat[] = ['mermaid', 'dot', 'svg'];

/** What stands over the picture of a machine. */
export const diagramTitle = (name: DiagramName): string =>
  name === 'run' ? 'The run machine: who follows whom, and what it costs' : `The ${name} machine`;

/** The outline of a machine by its name. */
export const outlineNamed = (name: DiagramName): OutlineState => outlineOf(machines[name]);

/**
 * One machine as a picture, made from its definition (mcp-surface section 8, `diagram`).
 * @param name one of `diagramNames`
 * @returns Mermaid text, DOT text, or an SVG document; the same bytes each time
 */
export const diagramOf = async (name: DiagramName, format: DiagramFormat): Promise<string> => {
  const title = diagramTitle(name);
  const picture = pictureOf(outlineNamed(name), title);
  const direction = name === 'run' ? 'TB' : 'LR';
  if (format === 'mermaid') return mermaidOf(picture, direction);
  const dot = dotOf(picture, direction);
  return format === 'dot' ? dot : svgOf(dot, title);
};
