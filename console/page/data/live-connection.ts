import type { LiveEntry, LiveHello } from '../../contract.ts';

export type Connection =
  | { readonly state: 'connecting' }
  | { readonly state: 'open' }
  /** The tab is hidden: browsers allow few connections to one host, and other tabs need them. */
  | { readonly state: 'paused' }
  | { readonly state: 'lost'; readonly reason: string };

export interface StreamEvents {
  hello(hello: LiveHello): void;
  changed(): void;
  /** In local mode only. */
  entry(entry: LiveEntry): void;
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

export type LiveSignal =
  | 'connection'
  | 'changed'
  | 'reconnected'
  | 'new-build'
  | { readonly entry: LiveEntry };

export interface LiveConnection {
  current(): Connection;
  subscribe(listener: (signal: LiveSignal) => void): () => void;
  /** To be called when the tab is shown or hidden, and when the reader wants to try again. */
  refresh(): void;
  close(): void;
}

/** The first retry comes soon, because a restart of local mode takes seconds. */
const retryMilliseconds: readonly number[] = [500, 1_000, 2_000, 4_000, 8_000];
const retryMillisecondsMax = 10_000;
const changedMilliseconds = 1_000;
const otherServer =
  'Another server responds at this address: not your console, or one with another key. Close this tab.';

/** Keeps one stream of changes open while the tab is visible, and says why when it cannot. */
export function createLiveConnection(ports: LivePorts): LiveConnection {
  const listeners = new Set<(signal: LiveSignal) => void>();
  let connection: Connection = { state: 'connecting' };
  let hello: LiveHello | undefined;
  let failures = 0;
  let closeStream: (() => void) | undefined;
  let cancelRetry: (() => void) | undefined;
  let cancelChanged: (() => void) | undefined;
  let changedAgain = false;
  /** Grows with every attempt, so that a late reason of an earlier one is ignored. */
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
    for (const cancel of [closeStream, cancelRetry, cancelChanged]) cancel?.();
    closeStream = cancelRetry = cancelChanged = undefined;
  };
  const changed = (): void => {
    if (cancelChanged !== undefined) {
      changedAgain = true;
      return;
    }
    changedAgain = false;
    emit('changed');
    // The first change shows at once, the others of the same second together at its end.
    cancelChanged = ports.later(changedMilliseconds, () => {
      cancelChanged = undefined;
      if (changedAgain) changed();
    });
  };
  const greeted = (next: LiveHello): void => {
    const earlier = hello;
    // It could make the page reload, which would then be a page of its own.
    if (earlier !== undefined && earlier.console_id !== next.console_id) return void failed(otherServer);
    hello = next;
    failures = 0;
    become({ state: 'open' });
    if (earlier === undefined) return;
    emit(earlier.build === next.build ? 'reconnected' : 'new-build');
  };
  const failed = async (known?: string): Promise<void> => {
    stop();
    const mine = attempt;
    const reason = known ?? (await ports.reason());
    if (mine !== attempt) return;
    become({ state: 'lost', reason });
    cancelRetry = ports.later(retryMilliseconds[failures] ?? retryMillisecondsMax, open);
    failures += 1;
  };
  const open = (): void => {
    stop();
    if (connection.state !== 'lost') become({ state: 'connecting' });
    const mine = attempt;
    closeStream = ports.open({
      hello: greeted,
      changed,
      entry: (entry) => emit({ entry }),
      failed: () => {
        if (mine === attempt) void failed();
      },
    });
  };

  return {
    current: () => connection,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    refresh() {
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
