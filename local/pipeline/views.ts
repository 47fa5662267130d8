import { type CreatedStack, region } from '@payhooks/cdk-local';
import type { Simulator } from '@payhooks/payment-service/simulator';
import { createOrderMessages } from '../feed/order-messages.ts';
import type { Views } from '../inspection.ts';
import { alarmView, occurrencesIn } from './alarms.ts';
import { createHeartbeats } from './heartbeats.ts';
import { createRetries } from './retries.ts';
import { createSeriesView } from './series.ts';

/** What tools and the console read from AWS elsewhere; no key. */
export function createViews(clock: () => number) {
  const retries = createRetries();
  const heartbeats = createHeartbeats(clock);
  return {
    /** Takes the lines of functions. */
    onLine(line: string): void {
      retries.onLine(line);
      heartbeats.onLine(line);
    },
    viewsOf(created: CreatedStack, simulator: Simulator): Views {
      const { model, endpoints, events, alarms } = created;
      const { stackName, outputs } = model;
      const stack = { stack: stackName, outputs, endpoints, region, service_url: simulator.baseUrl };
      return {
        '/stack': () => stack,
        '/alarms': () =>
          alarms().map((alarm) => ({
            ...alarmView(alarm),
            occurrences: occurrencesIn(created, alarm, clock()),
          })),
        '/series': createSeriesView(created, clock),
        '/feed/messages': createOrderMessages(events),
        ...{ '/retries': retries.list, '/heartbeat': heartbeats.view },
      };
    },
  };
}
