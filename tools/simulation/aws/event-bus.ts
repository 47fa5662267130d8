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
    PutEvents(given, { isPartial }) {
      const { Entries } = given as unknown as PutEvents;
      const results = Entries.map(({ Source, DetailType, Detail }, index) => {
        // A request of one entry is refused whole, so that its sender meets the refusal as well.
        if (isPartial && (index % 2 === 1 || Entries.length === 1)) {
          return { ErrorCode: 'InternalFailure', ErrorMessage: 'This entry is refused by the simulation.' };
        }
        const EventId = parts.random.uuid();
        const message = { id: EventId, source: Source, detailType: DetailType, detail: Detail };
        parts.onMessage({ at: parts.clock.now(), ...message });
        return { EventId };
      });
      return {
        FailedEntryCount: results.filter((result) => 'ErrorCode' in result).length,
        Entries: results,
      };
    },
  };
}
