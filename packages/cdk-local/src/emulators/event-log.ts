import { DatabaseSync } from 'node:sqlite';

/** An event in the form that the target of a rule receives. */
export interface BusEvent {
  readonly version: '0';
  readonly id: string;
  readonly 'detail-type': string;
  readonly source: string;
  readonly account: string;
  /** ISO 8601 UTC, in whole seconds. */
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: object;
}

/** An event that was put on a bus. */
export interface LoggedEvent {
  /** Counts from 1, in the order in which the bus accepted the events. */
  readonly number: number;
  readonly source: string;
  readonly id: string;
  /** The event as JSON. */
  readonly text: string;
}

/** The latest events of the buses; the oldest are dropped. */
export type EventLog = ReturnType<typeof openEventLog>;

/** A morning of tests; an event is about 1 KB. */
const defaultEventsMax = 10_000;

/**
 * Opens the log, in memory or in `file`. What was appended to a file survives `kill -9`: the function that
 * published it considers it published, and will not publish it again.
 */
export function openEventLog(file?: string, eventsMax = defaultEventsMax) {
  const db = new DatabaseSync(file ?? ':memory:');
  // Every commit reaches the operating system, which is what `kill -9` cannot undo.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  db.exec(`CREATE TABLE IF NOT EXISTS events (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE, source TEXT, text TEXT)`);
  const insert = db.prepare('INSERT INTO events (id, source, text) VALUES (?, ?, ?)');
  // Numbers have no gaps.
  const dropOldest = db.prepare('DELETE FROM events WHERE number <= (SELECT max(number) FROM events) - ?');
  const columns = 'SELECT number, id, source, text FROM events';
  const select = db.prepare(`${columns} WHERE number > ? ORDER BY number LIMIT ?`);
  const last = db.prepare(`${columns} ORDER BY number DESC LIMIT 1`);
  const search = db.prepare(`${columns} WHERE instr(text, ?) > 0 ORDER BY number DESC LIMIT ?`);
  const find = db.prepare('SELECT number FROM events WHERE id = ?');
  const listeners = new Set<() => void>();

  return {
    /** All of the events or none of them. */
    append(events: readonly BusEvent[]): void {
      db.exec('BEGIN');
      try {
        for (const event of events) insert.run(event.id, event.source, JSON.stringify(event));
        dropOldest.run(eventsMax);
        db.exec('COMMIT');
      } catch (error) {
        db.exec('ROLLBACK');
        throw error;
      }
      for (const listener of listeners) listener();
    },
    /** The events after a number, oldest first. */
    after: (number: number, eventsMax: number) =>
      select.all(number, eventsMax) as unknown as readonly LoggedEvent[],
    /** The latest events whose JSON contains this text, oldest first. */
    containing: (text: string, eventsMax: number) =>
      (search.all(text, eventsMax) as unknown as LoggedEvent[]).toReversed() as readonly LoggedEvent[],
    /** The number of an event that is kept. */
    numberOf: (id: string) => (find.get(id) as { number: number } | undefined)?.number,
    latest: () => last.get() as LoggedEvent | undefined,
    /** Calls back after each `append`. Returns a function that ends the subscription. */
    subscribe(onChange: () => void): () => void {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    close: () => db.close(),
  };
}
