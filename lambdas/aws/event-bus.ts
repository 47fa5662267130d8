import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { EventBus } from '../order-feed/publish.ts';
import { clientOptions } from './client-options.ts';

/** The bus of the order feed behind its port. */
export function createEventBus(busName: string): EventBus {
  const client = new EventBridgeClient(clientOptions);
  return {
    async put(entries) {
      const { Entries = [] } = await client.send(
        new PutEventsCommand({
          Entries: entries.map(({ source, detailType, detail, time }) => ({
            EventBusName: busName,
            Source: source,
            DetailType: detailType,
            Detail: detail,
            Time: time,
          })),
        }),
      );
      // Only an event id says that an entry was taken: an answer without one, or none, is a refusal.
      return entries.map((_, index) => {
        const { EventId, ErrorCode } = Entries[index] ?? {};
        return EventId === undefined ? (ErrorCode ?? 'NoEventId') : undefined;
      });
    },
  };
}
