import type { RunEvent, Submission, Token } from '../../machines/events.ts';
import { redactedScope } from '../../machines/permissions/recordedScope.ts';
import { findSecret } from '../../machines/secrets/content.ts';
import { machineVersion } from '../../machines/step.ts';
import { digest } from '../../schemas/canonical.ts';
import { schemaVersion } from '../../schemas/vocabulary.ts';
import type { Json } from '../ledger/ledger.ts';

/**
 * What the ledger keeps of an event so that it can be fed to the machine again: everything that came from outside.
 * Bodies that were stored are named by the event's artifacts; only what was accepted without being stored stands here.
 */

const tokenOf = ({ actionId, expectedVersion }: Token): Json => ({ actionId, expectedVersion });

/** Values from outside as plain JSON; what is not JSON cannot have come through a door. */
export const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value ?? null));

const submissionOf = ({ type, sourceRefs, targets }: Submission): Json => ({
  type,
  sourceRefs: [...sourceRefs],
  targets: asJson(targets),
});

type Payload = Readonly<Record<string, Json>>;

/** The digest of a frozen snapshot: of its canonical JSON, so that the order of its keys does not matter. */
export const snapshotDigest = (frozen: string): string => {
  // Checks and recorded refusals leave the snapshot as it was, often many in a row.
  if (latest?.frozen !== frozen) latest = { frozen, digest: digest(JSON.parse(frozen)) };
  return latest.digest;
};
let latest: Readonly<{ frozen: string; digest: string }> | null = null;

/**
 * A payload with what the event left beside it: the versions of machine and schema and the digest of the snapshot. Through it the
 * chain holds every state that the run was in, and what the row of the run says of the last one can be told from it.
 */
export const withAfter = (payload: Payload, frozen: string): Json => ({
  ...payload,
  after: { machine: machineVersion, schema: schemaVersion, snapshot: snapshotDigest(frozen) },
});

/**
 * The payload of a versioned, supporting or check event.
 * @param bodyKept false when the event was accepted without storing the artifact (an escalation)
 */
export const payloadOf = (event: RunEvent, bodyKept: boolean): Payload => {
  const token = tokenOf(event.token);
  switch (event.type) {
    case 'user.cancel':
      return { token };
    case 'user.answer':
      return { token, answer: event.answer, messageId: event.messageId, via: event.via };
    case 'host.check': {
      // A target that looks like a credential is never kept, not even for a replay; nor is the path it was resolved to.
      const secret = event.target !== null && findSecret(event.target) !== null;
      const { target, resolved, scope } = event;
      // No known capability looks like one, so the mark is judged as the word was: unknown.
      const capability = findSecret(event.capability) === null ? event.capability : redactedScope;
      const kept = secret ? { target: null, resolved: null } : { target, resolved: asJson(resolved) };
      return { token, capability, ...kept, secret, scope };
    }
    default: {
      const { dossier } = event.case;
      if (!dossier) return { token };
      const { submission } = dossier;
      return {
        token,
        submission: submissionOf(submission),
        ...(!bodyKept && { body: asJson(submission.body) }),
      };
    }
  }
};
