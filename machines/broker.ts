import type { RunContext } from './context.ts';
import { entry } from './entry.ts';
import type { CheckEvent, RecordEffect } from './events.ts';
import { brokerDecision } from './permissions/brokerDecision.ts';
import { phasePermissions } from './permissions/phasePermissions.ts';
import { uriOf } from './record.ts';
import { effectiveFor, envelopeOf, pendingNode } from './rules/derived.ts';

/**
 * The answer to a host's question and the `broker_decision` event that it leaves (permissions section 9). The
 * enumeration asks without a record: then the event alone is told.
 */
export const brokerEntries = (run: RunContext, event: CheckEvent): RecordEffect => {
  const { record, capability, target, resolved, scope } = event;
  if (!record) return { artifacts: [], trace: [entry(run, 'broker_decision', 'host', 'A tool action was checked.')] };
  const envelope = envelopeOf(record);
  const decision = brokerDecision(
    { capability, target, resolved, childrenUsed: record.spawned },
    {
      mode: run.mode,
      status: run.status,
      authority: envelope?.body.authorization ?? null,
      envelopeRef: envelope ? uriOf(envelope) : null,
      phasePermissions: phasePermissions({
        status: run.status,
        phase: run.phase,
        effective: effectiveFor(record, run.mode),
        node: pendingNode(record)?.permissions ?? null,
      }),
      scope,
    },
  );
  const noted = entry(run, 'broker_decision', 'host', decision.summary, { in: envelope ? [uriOf(envelope)] : [] });
  return { artifacts: [], trace: [{ ...noted, decision: decision.permissionDecision }], decision };
};
