import type { App } from './app.ts';
import { notes } from './notes/notes.ts';

/** The apps that this version brings, in the order in which listings show them. */
export const builtInApps: readonly App[] = [notes];

/** What a new workspace holds. */
export const firstApps: readonly string[] = builtInApps.map(({ id }) => id);
