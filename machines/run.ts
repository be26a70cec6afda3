import {
  admit,
  block,
  current,
  executed,
  kit,
  lift,
  moved,
  newRun,
  recorded,
  refusals,
  refuse,
  setGate,
  settle,
  spend,
  support,
  when,
} from './kit.ts';
import { audit } from './phases/audit.ts';
import { clarification } from './phases/clarification.ts';
import { contract } from './phases/contract.ts';
import { execute } from './phases/execute.ts';
import { frame } from './phases/frame.ts';
import { ground } from './phases/ground.ts';
import { plan } from './phases/plan.ts';
import { quality } from './phases/quality.ts';
import { report } from './phases/report.ts';
import { review } from './phases/review.ts';
import { terminal } from './phases/terminal.ts';
import type { Situation } from './situation.ts';

/** One row: when the named facts hold, where the run goes and what that costs. */
const row = <const T extends string, const A extends readonly unknown[]>(
  wanted: Partial<Situation>,
  target: T,
  ...actions: A
) => ({ guard: when(wanted), target, actions });

/** The row that takes what the rows above it left. */
const otherwise = <const T extends string, const A extends readonly unknown[]>(target: T, ...actions: A) => ({
  target,
  actions,
});

/**
 * The whole protocol: who follows whom, and what it costs. The comment of a row is its number in the transition table
 * (run-machine section 5); what a row records beside the artifact stands in it by name.
 */
export const runMachine = kit.createMachine({
  id: 'run',
  context: newRun,
  initial: 'working',
  on: {
    ...refusals,
    'host.check': [current, refuse('recordFull'), support], //                                                       Z4
    'user.cancel': [current, otherwise('.terminal.cancelled', 'step', recorded('cancel'))], //                         Z1
  },
  states: {
    working: {
      initial: 'ground',
      on: {
        'submit.ClarificationRequest': [
          ...admit,
          row({ asked: false }, 'clarification', 'step', 'note', recorded('question'), 'ask'), //                    K0
          otherwise('report', 'step', 'note', recorded('furtherQuestion'), block('question')), //                      K4
        ],
      },
      states: {
        ground: { ...ground, onDone: otherwise('frame') }, //                                                          G1
        frame: {
          ...frame,
          onDone: [
            row({ micro: true, executes: true }, 'execute', recorded('pack'), 'packed'), //                          F2
            row({ micro: true }, 'quality', recorded('pack'), 'packed'), //                                          F3
            otherwise('contract'), //                                                                                  F1
          ],
        },
        contract: { ...contract, onDone: otherwise('review') }, //                                                     C1 C3
        review: {
          ...review,
          onDone: [
            row({ exit: 'pass' }, 'plan'), //                                                                        V1
            row({ exit: 'revise', revisable: true }, 'contract.revise', spend('revisions')), //                      V2
            otherwise('#run.report', block('review')), //                                                              V3 V4
          ],
        },
        plan: {
          ...plan,
          onDone: [
            row({ executes: true }, 'execute', 'planned'), //                                                        P1
            otherwise('quality', 'planned'), //                                                                        P2
          ],
        },
        execute: {
          ...execute,
          onDone: [
            row({ exit: 'done' }, 'quality', executed(true)), //                                                     X2
            otherwise('quality', executed(false)), //                                                                  X3
          ],
        },
        quality: {
          ...quality,
          onDone: [
            row({ micro: true, exit: 'pass' }, '#run.report', recorded('receipt')), //                               M1
            row({ micro: true, exit: 'block' }, '#run.report', 'settleByReview'), //                                 M2
            row({ micro: true, exit: 'partial' }, 'review', recorded('spotPartial'), lift('standard')), //           M3
            row({ micro: true }, 'review', recorded('spotRemediate'), lift('standard')), //                          M4
            row({ exit: 'remediate' }, 'plan', spend('remediations')), //                                            Q4
            row({ exit: 'proceed_to_fix' }, 'plan', setGate('issued')), //                                           Q6
            row({ forensic: true, reverifying: false }, 'quality.reverify', 'settleByReview'), //                    Q1 Q2 Q3
            row({ exit: 'pass' }, '#run.audit', recorded('receipt')), //                                             Q1 E1
            otherwise('#run.audit', 'settleByReview'), //                                                              Q2 Q3 E2 E3
          ],
        },
        resume: { type: 'history', history: 'deep' },
      },
    },
    clarification: {
      ...clarification,
      onDone: [
        row({ exit: 'resume' }, 'working.resume'), //                                                                K1
        otherwise('terminal.cancelled', recorded('cancelled')), //                                                     K2 K3
      ],
    },
    audit: {
      ...audit,
      onDone: [
        row({ exit: 'release' }, 'report', settle('completed')), //                                                  A1
        row({ exit: 'partial' }, 'report', settle('partial')), //                                                    A2
        row({ exit: 'block' }, 'report', settle('blocked')), //                                                      A3
        row({ exit: 'remediate' }, 'working.plan', spend('remediations'), settle(null)), //                          A4
        row(
          { exit: 'user_reported' },
          'audit',
          recorded('userReportedAudit'),
          lift('forensic'),
          moved('STANDARD_USER_REPORTED_CLAIMS'),
        ), //        A6
      ],
    },
    report: {
      ...report,
      onDone: [
        row({ exit: 'completed' }, 'terminal.completed', recorded('completed')), //                                  U1
        row({ exit: 'partial' }, 'terminal.partial', recorded('partial')), //                                        U2
        row({ exit: 'failed_verification' }, 'terminal.failed_verification', recorded('failedVerification')), //     U3
        row({ exit: 'blocked' }, 'terminal.blocked', recorded('blocked')), //                                        U4
        row(
          { exit: 'user_reported' },
          'working.review',
          recorded('userReportedReport'),
          lift('standard'),
          settle(null),
          moved('MICRO_USER_REPORTED'),
        ), // U5
      ],
    },
    terminal,
  },
});
