import { PageEvent } from '../../../../schemas/wire/person.ts';
import { takeStreamSlot } from './streamSlot.ts';

/** How the page learns what happens: by the stream, by asking every five seconds, or not at all at the moment. */
export type Liveness = 'live' | 'polling' | 'unreachable' | 'signed out';

export interface LivePorts {
  readonly workspace: string;
  /** Loads anew what is shown; tells whether the host answered. */
  refresh(): Promise<'ok' | 'unreachable' | 'signed out'>;
  took(event: PageEvent): void;
  became(liveness: Liveness): void;
}

/** How often it is asked while there is no stream, in milliseconds (workspace-wire section 9). */
const pollEvery = 5000;

const eventNames = ['ask', 'change', 'roster'] as const;

const parsed = (data: unknown): PageEvent | null => {
  try {
    return PageEvent.parse(JSON.parse(String(data)));
  } catch {
    // A newer host may tell what this page does not know; what is shown is loaded anew instead.
    return null;
  }
};

/** Keeps the page current for as long as it is open. */
export const stayLive = ({ workspace, refresh, took, became }: LivePorts): void => {
  let source: EventSource | null = null;
  let release: (() => void) | null = null;
  let opening = false;
  let cursor: string | null = null;
  let timer: number | null = null;
  let over = false;

  const close = (): void => {
    source?.close();
    source = null;
    release?.();
    release = null;
  };

  const look = async (): Promise<void> => {
    const came = await refresh();
    if (over) return;
    if (came === 'signed out') {
      over = true;
      close();
      stopPolling();
      became('signed out');
    } else if (source?.readyState !== EventSource.OPEN) became(came === 'ok' ? 'polling' : 'unreachable');
  };

  const stopPolling = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };

  const startPolling = (): void => {
    if (timer !== null || over) return;
    timer = setInterval(() => {
      if (source === null) void open();
      void look();
    }, pollEvery);
    void look();
  };

  const open = async (): Promise<void> => {
    if (opening || over) return;
    opening = true;
    release = await takeStreamSlot();
    opening = false;
    if (release === null || over) {
      startPolling();
      return;
    }
    const resumed = cursor === null ? '' : `?cursor=${cursor}`;
    const stream = new EventSource(`/w/${workspace}/person/events${resumed}`);
    source = stream;
    stream.addEventListener('open', () => {
      stopPolling();
      became('live');
      // Whatever happened before the stream began is in what is loaded now.
      void look();
    });
    stream.addEventListener('error', () => {
      // A browser comes back by itself unless it was answered with an error.
      if (stream.readyState === EventSource.CLOSED) close();
      startPolling();
    });
    for (const name of eventNames)
      stream.addEventListener(name, ({ data, lastEventId }) => {
        cursor = lastEventId;
        const event = parsed(data);
        if (event === null) void look();
        else took(event);
      });
  };

  addEventListener('pagehide', close);
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && source === null) void open();
  });
  // A tab that comes to the front shows what is, whatever the browser held back meanwhile.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && !over) void look();
  });
  void open();
};
