import type { LiveHello } from '../../contract.ts';

export type Connection =
  | { readonly state: 'connecting' }
  | { readonly state: 'open' }
  /** The tab is hidden: browsers allow few connections to one host, and other tabs need them. */
  | { readonly state: 'paused' }
  | { readonly state: 'lost'; readonly reason: string };

export interface StreamEvents {
  hello(hello: LiveHello): void;
  changed(): void;
  failed(): void;
}

export interface LivePorts {
  /** Opens the stream; returns what closes it. */
  open(events: StreamEvents): () => void;
  /** The sentence for the reader when the stream cannot be opened. */
  reason(): Promise<string>;
  /** Runs `task` later; returns what cancels it. */
  later(milliseconds: number, task: () => void): () => void;
  isHidden(): boolean;
}

/** `changed`: stored data may have changed; `new-build`: the page is an older one than the server's. */
export type LiveSignal = 'connection' | 'changed' | 'new-build';

export type LiveConnection = ReturnType<typeof createLiveConnection>;

/** The first retry comes soon, because a restart of local mode takes seconds. */
const retryMilliseconds = 500;
const retryMillisecondsMax = 10_000;
const otherServer =
  'Another server responds at this address: not your console, or one with another key. Close this tab.';

/** Keeps one stream of changes open while the tab is visible, and says why when it cannot. */
export function createLiveConnection(ports: LivePorts) {
  const listeners = new Set<(signal: LiveSignal) => void>();
  let connection: Connection = { state: 'connecting' };
  let hello: LiveHello | undefined;
  let failures = 0;
  let cancels: (() => void)[] = [];
  /** Grows with every attempt, so that what an earlier one reports late is ignored. */
  let attempt = 0;

  const emit = (signal: LiveSignal): void => {
    for (const listener of listeners) listener(signal);
  };
  const become = (next: Connection): void => {
    connection = next;
    emit('connection');
  };
  const stop = (): void => {
    attempt += 1;
    for (const cancel of cancels) cancel();
    cancels = [];
  };
  const greeted = (next: LiveHello): void => {
    const earlier = hello;
    // It could make the page reload, which would then be a page of its own.
    if (earlier !== undefined && earlier.console_id !== next.console_id) return void failed(otherServer);
    hello = next;
    failures = 0;
    become({ state: 'open' });
    if (earlier !== undefined) emit(earlier.build === next.build ? 'changed' : 'new-build');
  };
  const failed = async (known?: string): Promise<void> => {
    stop();
    const mine = attempt;
    const reason = known ?? (await ports.reason());
    if (mine !== attempt) return;
    become({ state: 'lost', reason });
    cancels.push(ports.later(Math.min(retryMilliseconds * 2 ** failures, retryMillisecondsMax), open));
    failures += 1;
  };
  const open = (): void => {
    stop();
    if (connection.state !== 'lost') become({ state: 'connecting' });
    const mine = attempt;
    const close = ports.open({
      hello: greeted,
      changed: () => emit('changed'),
      failed: () => {
        if (mine === attempt) void failed();
      },
    });
    cancels.push(close);
  };

  return {
    current: () => connection,
    subscribe(listener: (signal: LiveSignal) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** To be called when the tab is shown or hidden, and when the reader wants to try again. */
    refresh(): void {
      if (ports.isHidden()) {
        stop();
        if (connection.state !== 'lost') become({ state: 'paused' });
      } else if (connection.state !== 'open') {
        failures = 0;
        open();
      }
    },
    close: stop,
  };
}
