/**
 * Where an event came in, which is who may have sent it: the person's page, a tool call, the host itself, the app. A host
 * that calls for itself, because it opened the ask, does so as a caller (workspace-wire section 11).
 */
export type Channel = 'person' | 'caller' | 'host' | 'app';

/** What events bring and effects hand on; the machine never looks into it. */
export interface Payload {
  /** The complete arguments after the person's edits. */
  readonly edits: unknown;
  /** Why the app could not do it. */
  readonly failure: unknown;
  /** What the app did: result, operations, touched resources. */
  readonly outcome: unknown;
}

type By = Readonly<{ by: Channel }>;

/** Made on the person's page: `version` is the one that the page showed. */
type Decided = By & Readonly<{ version: number }>;

/** `deadlineMs` is when the ask or the permission expires that the event leads to: now and as long as an ask stays open. */
export type Waiting = Readonly<{ deadlineMs: number }>;

/** What the host found about a call that wants to run or to ask. */
export type Ruling = Readonly<{
  /** The token, and for a governed run the broker, allow it. */
  granted: boolean;
  /** How often the person refused the same action and arguments of this token within the past hour (D-22). */
  refusals: number;
}>;

/** The host has looked at a new call. */
export type AdmitEvent = Readonly<{ type: 'ADMIT' }> & By & Waiting & Ruling;

export type InvocationEvent<P extends Payload = Payload> =
  | (Readonly<{ type: 'ALLOW' }> & Decided & Waiting)
  /** `valid`: the edits fit the parameters of the action. */
  | (Readonly<{ type: 'ALLOW_EDITED'; valid: boolean; edits: P['edits'] }> & Decided & Waiting)
  | (Readonly<{ type: 'REFUSE'; reason: string | null }> & Decided)
  | Readonly<{ type: 'CANCEL'; by: 'person'; version: number }>
  | Readonly<{ type: 'CANCEL'; by: Exclude<Channel, 'person'> }>
  /** The host sends it for all that is overdue before it takes calls: no other event looks at the time. */
  | (Readonly<{ type: 'EXPIRE'; nowMs: number }> & By)
  /** A `tilo_do` with this id, held or new. `sameArgs`: it names the same action with the same arguments. */
  | (Readonly<{ type: 'CALL'; sameArgs: boolean }> & By & Waiting & Ruling)
  | (Readonly<{ type: 'APP_OK'; outcome: P['outcome'] }> & By)
  | (Readonly<{ type: 'APP_FAIL'; failure: P['failure'] }> & By)
  /** The app stopped because it was told to. */
  | (Readonly<{ type: 'APP_ABORTED' }> & By)
  /** The host has started again and found the invocation as it was. */
  | (Readonly<{ type: 'RESTARTED' }> & By);

export type MachineEvent = AdmitEvent | InvocationEvent;

/** Who may send what (workspace-wire 5.1, third column). */
export const channels: Readonly<Record<MachineEvent['type'], readonly Channel[]>> = {
  ADMIT: ['host'],
  ALLOW: ['person'],
  ALLOW_EDITED: ['person'],
  REFUSE: ['person'],
  CANCEL: ['caller', 'person'],
  EXPIRE: ['host'],
  CALL: ['caller'],
  APP_OK: ['app'],
  APP_FAIL: ['app'],
  APP_ABORTED: ['app'],
  RESTARTED: ['host'],
};
