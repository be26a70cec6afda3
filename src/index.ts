/** The library: the host driver, the shapes, and the controller for programs that keep it in their own process. */
export type {
  AnswerArgs,
  ArtifactAnswer,
  CheckArgs,
  Controller,
  GroundArgs,
  Grounded,
  GroundOptions,
  GroundProgress,
  Moved,
  ReplayReport,
  RunList,
  RunListRow,
  RunPage,
  Started,
  StartRunArgs,
  Stepped,
  SubmitArgs,
  Submitted,
  TokenArgs,
  TracePage,
} from './controller/api.ts';
export { openController } from './controller/openController.ts';
export { TelicError } from './controller/telicError.ts';
export { GroundingError } from './grounding/groundingError.ts';
export { LedgerError } from './ledger/errors.ts';
export { checkStateDirectory, locateStateDirectory, type StateDirectory } from './ledger/stateDirectory.ts';
export * from './sdk/index.ts';
