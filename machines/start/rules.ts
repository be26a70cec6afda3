import type { FailureCode } from '../../schemas/failure.ts';

/** A rule of the start, as readers see it; who checks it words its finding (admission sections 14 and 15). */
export interface StartRule {
  readonly code: `ADM-${string}`;
  readonly text: string;
  readonly refusal: FailureCode;
}

const start = (number: string, text: string): StartRule => ({
  code: `ADM-START-${number}`,
  text,
  refusal: 'invalid_arguments',
});

const lineage = (number: string, refusal: FailureCode, text: string): StartRule => ({
  code: `ADM-LIN-${number}`,
  text,
  refusal,
});

/**
 * In order of evaluation. START-12 is no refusal: a grant that the host lacks is dropped, and the answer says so.
 * START-13 and -14 are judged only where the authority can be read.
 */
export const startRules: readonly StartRule[] = [
  start('01', 'The request says something.'),
  start('02', 'The request has at most 32768 characters.'),
  start('03', 'The host has a name.'),
  start('04', 'Capabilities of the host, granted and denied are lists of at most 256 entries.'),
  start('05', 'At most 256 commands are allowed.'),
  start('06', 'At most 256 network domains are allowed.'),
  start('07', 'Allowed commands need shell.execute among the capabilities of the host and among those granted.'),
  start('08', 'Network domains need network.read among the capabilities of the host and among those granted.'),
  start('09', 'A network domain is one exact DNS name, localhost or an IP address.'),
  start('10', 'An allowed command is one exact command without wildcards or shell operators.'),
  start('11', 'A capability is a word of the vocabulary.'),
  start('12', 'Only what the host can do is granted.'),
  start('13', 'A micro run may only be asked for where the request has no forensic signal and fits a micro gate.'),
  start('14', 'A standard run may only be asked for where the request has no forensic signal.'),
  lineage('01', 'run_not_found', 'The prior run is in this ledger.'),
  lineage('02', 'reference_invalid', 'The prior run belongs to the repository of this run.'),
  lineage('03', 'reference_invalid', 'The prior run has ended.'),
  lineage('04', 'integrity_failed', 'Every artifact of the prior run can be read and has its digest.'),
];
