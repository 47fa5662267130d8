import type { ServerResponse } from 'node:http';
import type { EventLog, LoggedEvent } from '@payhooks/cdk-local';

/** Read and written at a time, so that events wait for a slow reader in the log and not in memory. */
const pageEventsMax = 20;

export interface Following {
  readonly events: EventLog;
  readonly response: ServerResponse;
  /** Events of other sources are left out. */
  readonly source: string;
  /** The id of the last event that the reader received. */
  readonly lastEventId: string | undefined;
}

/** Writes the events after the reader's last one, and then each new one, until either side closes. */
export function followEvents(following: Following): void {
  const { events, response } = following;
  const start = startOf(following);
  let position = start.number;
  let isComplete = start.isComplete;
  // An id without data is no event, but a reader that disconnects before its first event sends this id when
  // it comes back, and so misses nothing.
  response.write(`retry: 1000\nid: ${start.id}\n\n`);

  const writeNext = (): void => {
    while (!response.writableEnded && !response.destroyed && !response.writableNeedDrain) {
      const page = events.after(position, pageEventsMax);
      const [first, last] = [page[0], page.at(-1)];
      if (first === undefined || last === undefined) return;
      // The log may have dropped the next events of a reader that lags far.
      isComplete &&= first.number === position + 1;
      const shown = page.filter(({ source }) => source === following.source).map(message);
      if (!isComplete || shown.length > 0) response.write(`${isComplete ? '' : gap}${shown.join('')}`);
      position = last.number;
      isComplete = true;
    }
  };
  const unsubscribe = events.subscribe(writeNext);
  response.on('drain', writeNext).once('close', unsubscribe);
  writeNext();
}

interface Start {
  readonly id: string;
  readonly number: number;
  /** Whether no event is missing between the reader's last one and this position. */
  readonly isComplete: boolean;
}

/** The id of the position before all events. */
const beginning = '0';

function startOf({ events, lastEventId }: Following): Start {
  if (lastEventId === undefined) {
    const latest = events.latest();
    return { id: latest?.id ?? beginning, number: latest?.number ?? 0, isComplete: true };
  }
  const number = events.numberOf(lastEventId);
  return {
    id: lastEventId,
    number: number ?? 0,
    isComplete: number !== undefined || lastEventId === beginning,
  };
}

/** JSON contains no line break, so nothing in an event can end its line. */
function message({ id, text }: LoggedEvent): string {
  return `id: ${id}\ndata: ${text}\n\n`;
}

/** A comment, so that the data lines hold events and nothing else. */
const gap = ': Older events are no longer kept; GET /orders?updated_since=… lists what has changed.\n\n';
