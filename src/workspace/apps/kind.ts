import type { z } from 'zod';
import type { Json, Kind, Page, Read, Resource } from './app.ts';

type Maybe<T> = T | Promise<T>;

/** A kind as an app writes it down: what `read` gives has exactly the kind's fields. */
export type KindDefinition<F extends z.ZodObject> = Omit<Kind, 'fields' | 'read'> & {
  readonly fields: F;
  read(
    resource: Resource,
    page: Page,
  ): Maybe<Omit<Read, 'fields'> & { readonly fields: z.infer<F> & Readonly<Record<string, Json>> }>;
};

/** One kind of resource (workspace-wire 6.1). `defineApp` checks it with the rest of the app. */
export const kind = <F extends z.ZodObject>(definition: KindDefinition<F>): Kind => definition;
