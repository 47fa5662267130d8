import { type CreatedStack, region } from '@payhooks/cdk-local';
import type { Simulator } from '@payhooks/payment-service/simulator';
import { createOrderMessages } from '../feed/order-messages.ts';
import type { Views } from '../local-requests.ts';
import { alarmView, occurrencesIn } from './alarms.ts';
import { createSeriesView } from './series.ts';

/** What tools and the console read from AWS elsewhere; no key. */
export function createViews(clock: () => number) {
  /** By the clock of the alarms, which may be hours ahead of the functions. */
  let heartbeatAt: string | null = null;
  return {
    /** Takes the lines of functions. */
    onLine(line: string): void {
      if (line.includes('"heartbeat returned"')) heartbeatAt = new Date(clock()).toISOString();
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
        '/heartbeat': () => ({ returned_at: heartbeatAt }),
      };
    },
  };
}
