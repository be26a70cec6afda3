/** The shapes of the workspace wire. */
export * from './answers.ts';
export * from './arguments.ts';
export * from './cursor.ts';
export * from './failure.ts';
export * from './limits.ts';
export * from './meta.ts';
export * from './path.ts';
export * from './person.ts';
export * from './vocabulary.ts';
