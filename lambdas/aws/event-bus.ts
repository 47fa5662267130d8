import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { EventBus } from '../ports/event-bus.ts';
import { boundCalls, clientOptions } from './client-options.ts';

/** Implements the port of the order feed's bus. */
export function createEventBus(EventBusName: string): EventBus {
  const client = boundCalls(new EventBridgeClient(clientOptions));
  return {
    async put(entries) {
      const sent = entries.map(({ source: Source, detailType: DetailType, detail: Detail, time: Time }) => {
        return { EventBusName, Source, DetailType, Detail, Time };
      });
      const { Entries } = await client.send(new PutEventsCommand({ Entries: sent }));
      // Only an event id confirms an entry: a result without one, or no result, counts as a refusal.
      return entries.map((_, index) => {
        const { EventId, ErrorCode } = Entries?.[index] ?? {};
        return EventId === undefined ? (ErrorCode ?? 'NoEventId') : undefined;
      });
    },
  };
}
