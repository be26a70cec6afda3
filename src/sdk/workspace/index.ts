/** The client of workspaces: what programs do with the workspace wire (workspace-wire section 8). */
export type {
  ActionRow,
  ChildRow,
  Done,
  DoneAll,
  DoneStep,
  Found,
  Hit,
  Listing,
  ListRow,
  ParamRow,
  Reading,
  WatchEvent,
  Watched,
} from '../../../schemas/wire/answers.ts';
export { AskPending } from './askPending.ts';
export type { Calls, ListingCall, TiloAnswer } from './calls.ts';
export { type Account, type ConnectOptions, connect, type Workspace } from './connect.ts';
export type { Timing } from './link.ts';
export type {
  ActionCall,
  CallOptions,
  DoAllOptions,
  DoOptions,
  FindOptions,
  HeldOptions,
  LsOptions,
  ReadOptions,
  TiloOptions,
  WatchOptions,
} from './options.ts';
export { ProtocolError, SessionLost } from './protocolError.ts';
export { Refused } from './refused.ts';
export { Run, type Waiting } from './run.ts';
export type { RunOptions, RunScope } from './runScope.ts';
export type { Watch } from './watch.ts';
