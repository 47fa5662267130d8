import type { Clock } from '../clock.ts';
import type { BusMessage } from '../history.ts';
import type { Random } from '../random.ts';
import type { Operations } from './service.ts';

interface PutEvents {
  readonly Entries: readonly {
    readonly Source: string;
    readonly DetailType: string;
    readonly Detail: string;
  }[];
}

/** EventBridge's PutEvents; `onMessage` receives every entry that is accepted. */
export function createBusOperations(parts: {
  readonly clock: Clock;
  readonly random: Random;
  readonly onMessage: (message: BusMessage) => void;
}): Operations {
  return {
    PutEvents(given) {
      const { Entries } = given as unknown as PutEvents;
      const results = Entries.map(({ Source, DetailType, Detail }) => {
        const EventId = parts.random.uuid();
        const message = { id: EventId, source: Source, detailType: DetailType, detail: Detail };
        parts.onMessage({ at: parts.clock.now(), ...message });
        return { EventId };
      });
      return { FailedEntryCount: 0, Entries: results };
    },
  };
}
