import type { ServerResponse } from 'node:http';
import type { EventLog, LoggedEvent } from '@payhooks/cdk-local';

/** Read and written at a time; what a slow reader makes wait is in the log, and not in memory. */
const pageEventsMax = 20;

export interface Following {
  readonly events: EventLog;
  readonly response: ServerResponse;
  /** Events of other sources are passed over. */
  readonly source: string;
  /** The id of the event that the reader had last. */
  readonly lastEventId: string | undefined;
}

/** Writes the events behind the reader's last one, and then each new one, until either side closes. */
export function followEvents(following: Following): void {
  const { events, response } = following;
  const start = startOf(following);
  let position = start.number;
  let isComplete = start.isComplete;
  // An id without data makes no event, but a reader that loses its connection before its first event comes
  // back with it, and misses none.
  response.write(`retry: 1000\nid: ${start.id}\n\n`);

  const writeNext = (): void => {
    while (!response.writableEnded && !response.destroyed && !response.writableNeedDrain) {
      const page = events.after(position, pageEventsMax);
      const [first, last] = [page[0], page.at(-1)];
      if (first === undefined || last === undefined) return;
      // A reader that is far behind may find that the log has dropped what came next.
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
  /** Whether nothing is missing between the reader's last event and this place. */
  readonly isComplete: boolean;
}

/** The id of the place before all events. */
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

/** JSON holds no line break, so whatever an event brought along stays within its line. */
function message({ id, text }: LoggedEvent): string {
  return `id: ${id}\ndata: ${text}\n\n`;
}

/** Only a comment: whatever reads the data lines finds events there and nothing else. */
const gap = ': Older events are not kept here any more; GET /orders?updated_since=… has what changed.\n\n';
