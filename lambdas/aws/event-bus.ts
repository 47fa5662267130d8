import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { EventBus } from '../ports/event-bus.ts';
import { boundCalls, clientOptions } from './client-options.ts';

/** Implements the port of the order feed's bus. */
export function createEventBus(busName: string): EventBus {
  const client = boundCalls(new EventBridgeClient(clientOptions));
  return {
    async put(entries) {
      const { Entries } = await client.send(
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
      // Only an event id confirms an entry: a result without one, or no result, counts as a refusal.
      return entries.map((_, index) => {
        const { EventId, ErrorCode } = Entries?.[index] ?? {};
        return EventId === undefined ? (ErrorCode ?? 'NoEventId') : undefined;
      });
    },
  };
}
