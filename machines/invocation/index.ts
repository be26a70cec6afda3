/** The life of one workspace action, from its call to its end (workspace-wire section 5). Everything here is pure. */
export type { InvocationContext, InvocationInput, InvocationKind } from './context.ts';
export {
  type Denial,
  type InvocationEffect,
  isStored,
  type KeptFailure,
  type LaterEffect,
  type Stay,
  type StoredEffect,
} from './effects.ts';
export type { Channel, InvocationEvent, Payload, Ruling, Waiting } from './events.ts';
export { invocationMachine } from './invocation.ts';
export {
  type FinalState,
  type InvocationState,
  isFinal,
  type StoredState,
  type WireStatus,
  wireStatus,
} from './state.ts';
export { type Begun, beginInvocation, type InvocationStep, type StoredInvocation, stepInvocation } from './step.ts';
