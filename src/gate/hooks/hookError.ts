/** Why hooks of a host cannot be written, taken away or read: one sentence; nothing was changed. */
export class HookError extends Error {
  override readonly name = 'HookError';
}
