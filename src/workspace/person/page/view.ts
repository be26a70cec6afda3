import type { PageEvent } from '../../../../schemas/wire/person.ts';
import type { Announcer } from './announcer.ts';
import type { AskBook } from './askBook.ts';
import type { HostClient, Trouble } from './hostClient.ts';
import type { Steady } from './steady.ts';

/** What views are made from. */
export interface ViewPorts {
  readonly workspace: string;
  readonly person: string;
  readonly client: HostClient;
  readonly book: AskBook;
  readonly announcer: Announcer;
  readonly steady: Steady;
  /** Where a view is. */
  readonly path: (rest: string) => string;
  /** Something newer is known of asks: the page shows it everywhere. */
  readonly asksMoved: () => void;
}

/** What came of loading: the trouble, or null. */
export type Loaded = Trouble | null;

/** One of the page's views. It is kept while another is shown, with what the person wrote in it. */
export interface View {
  readonly title: string;
  readonly element: HTMLElement;
  /** It is about to be shown, for the first time or again. */
  entered?(): void;
  /** Loads what it shows. */
  load(): Promise<Loaded>;
  /** What is known of asks has changed. */
  asks?(): void;
  took?(event: PageEvent): void;
}
