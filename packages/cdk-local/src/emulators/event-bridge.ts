import { startAwsJson } from './aws-json.ts';
import type { Emulator } from './dynamodb.ts';
import { createBusEvent, type EntryAnswer, entriesBytesMax, readEntries } from './event-bridge-entries.ts';
import { type EventLog, openEventLog } from './event-bridge-log.ts';

export interface EventBridgeEmulator extends Emulator {
  /** What was put on the buses. */
  readonly events: EventLog;
  createBus(name: string): void;
}

/** As JSON, a detail may be twice as long as the text that is counted. */
const requestBytesMax = 4 * entriesBytesMax;

/**
 * PutEvents of EventBridge on a free loopback port, with a log of the latest events, in memory or in `file`.
 * No package emulates it, and rules are not emulated.
 */
export async function startEventBridge(file?: string): Promise<EventBridgeEmulator> {
  const events = openEventLog(file);
  const buses = new Set(['default']);
  const emulator = await startAwsJson({
    target: 'AWSEvents',
    operations: {
      async PutEvents(parameters) {
        const taken = readEntries(parameters).map((entry) => ({
          event: createBusEvent(entry, Date.now()),
          // A name or an ARN, as `arn:aws:events:…:event-bus/name`.
          bus: entry.EventBusName?.split('event-bus/').at(-1) ?? 'default',
        }));
        const answers = taken.map(
          ({ event }): EntryAnswer => ('id' in event ? { EventId: event.id } : event),
        );
        // An event for a bus that does not exist gets an id and is dropped, which is what the service does.
        events.append(taken.flatMap(({ event, bus }) => ('id' in event && buses.has(bus) ? [event] : [])));
        const FailedEntryCount = answers.filter((answer) => 'ErrorCode' in answer).length;
        return { FailedEntryCount, Entries: answers };
      },
    },
    requestBytesMax,
  });
  return {
    endpoint: emulator.endpoint,
    events,
    createBus: (name) => void buses.add(name),
    async close() {
      await emulator.close();
      events.close();
    },
  };
}
