/** What is meant cannot be told from the words: one sentence, and the exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
