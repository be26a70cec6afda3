import type { FailureCode } from '../failure.ts';
import type { ToolName } from '../tools.ts';

/** A rule of admission about the arguments of a call, before any run is looked at (admission sections 2, 3, 4 and 15). */
export interface ArgumentRule {
  readonly code: `ADM-${string}`;
  /** What must hold, in one sentence for readers. */
  readonly text: string;
  readonly refusal: Extract<FailureCode, 'invalid_arguments' | 'invalid_body'>;
}

const submit = (
  number: string,
  text: string,
  refusal: ArgumentRule['refusal'] = 'invalid_arguments',
): ArgumentRule => ({
  code: `ADM-TR-${number}`,
  text,
  refusal,
});

/** What a submission must hold as a call; the rules of the other tools are named beside them. */
export const argumentRules: readonly ArgumentRule[] = [
  submit('04', 'A call sends an answer or an artifact, never both.'),
  submit('05', 'An artifact is sent with its type.'),
  submit('06', 'An artifact is sent with its body, as body or as body_json.'),
  submit('07', 'A body is sent once: as body or as body_json.'),
  submit('08', 'body_json is JSON.'),
  submit('09', 'body_json holds one object.'),
  submit('10', 'A body names its id and its run as strings.', 'invalid_body'),
  submit('11', 'A body names the run that it is sent to.', 'invalid_body'),
  submit('13', 'A list of runs has 1 to 100 rows.'),
  submit('14', 'A page of the trace begins at a sequence of 0 or more and has 1 to 500 events.'),
  { code: 'ADM-COM-02', text: 'The artifact type is a word of the vocabulary.', refusal: 'invalid_arguments' },
];

type Kind = 'short' | 'long' | 'other';

/**
 * The rule that a wrong argument breaks, where admission names one; otherwise its failure keeps the code of its field.
 * `kind` says whether a length is the trouble, `inside` whether an item of a list is.
 */
export const ruleOf = (tool: ToolName, argument: string, kind: Kind, inside: boolean): string | undefined => {
  switch (`${tool}.${argument}`) {
    case 'telic_start_run.original_request':
      return kind === 'long' ? 'ADM-START-02' : kind === 'short' ? 'ADM-START-01' : undefined;
    case 'telic_start_run.host_name':
      return kind === 'short' ? 'ADM-START-03' : undefined;
    case 'telic_start_run.host_capabilities':
    case 'telic_start_run.authorization_granted':
    case 'telic_start_run.authorization_denied':
      return inside ? 'ADM-START-11' : kind === 'long' ? 'ADM-START-04' : undefined;
    case 'telic_start_run.shell_execute_allowlist':
      return inside ? undefined : kind === 'long' ? 'ADM-START-05' : undefined;
    case 'telic_start_run.network_read_domains':
      return inside ? undefined : kind === 'long' ? 'ADM-START-06' : undefined;
    case 'telic_submit_artifact.artifact_type':
      return 'ADM-COM-02';
    case 'telic_submit_artifact.source_refs':
      return inside || kind === 'long' ? 'ADM-REF-01' : undefined;
    case 'telic_submit_artifact.clarification_response':
      return kind === 'short' ? 'ADM-CLR-06' : kind === 'long' ? 'ADM-CLR-07' : undefined;
    case 'telic_list_runs.limit':
      return 'ADM-TR-13';
    case 'telic_get_trace.limit':
    case 'telic_get_trace.after_sequence':
      return 'ADM-TR-14';
    default:
      return undefined;
  }
};
