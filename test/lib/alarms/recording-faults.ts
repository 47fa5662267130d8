import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import type { Deployment } from './deployment.ts';
import type { AlarmFault } from './fault.ts';

const down = new Error('DynamoDB is unavailable');
const minutesPerHour = 60;

async function postPayments(count: number, { post }: Deployment): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    await post(bytesOf(paidEvent({ orderId: `order-${number}` })));
  }
}

/** Faults between the queue and the tables. */
export const recordingFaults: Readonly<Record<string, AlarmFault>> = {
  DeadLettersPresent: {
    what: 'a message cannot be read in any of its receives',
    others: ['EventsDelayed'],
    async cause({ state, queue, pass }) {
      state.assumesSchedules = true;
      queue.addForeign();
      await pass(5 * minutesPerHour);
    },
  },
  EventsDelayed: {
    what: 'an event fails for 15 minutes, which the age of the queue does not show',
    others: ['HeartbeatMissing', 'LogsSilent'],
    async cause(deployment) {
      deployment.faults.writes = down;
      await postPayments(1, deployment);
      await deployment.pass(18);
    },
  },
  RecordsRetried: {
    what: 'DynamoDB is down for 10 minutes',
    others: ['HeartbeatMissing'],
    async cause(deployment) {
      deployment.faults.writes = down;
      await postPayments(12, deployment);
      await deployment.pass(11);
    },
  },
  TablesThrottled: {
    what: 'DynamoDB throttles the consumer for 15 minutes',
    others: ['HeartbeatMissing'],
    async cause(deployment) {
      deployment.faults.throttles = true;
      await postPayments(1, deployment);
      await deployment.pass(13);
    },
  },
  ConsumerErrors: {
    what: 'the consumer crashes',
    cause: ({ invoke, stages }) => invoke('Consumer', () => stages.consumer({} as never)),
  },
  ConsumerThrottles: {
    what: 'Lambda throttles the consumer for 15 minutes',
    others: ['HeartbeatMissing'],
    async cause(deployment) {
      deployment.throttled.add('Consumer');
      await postPayments(1, deployment);
      await deployment.pass(12);
    },
  },
  OperationsServerErrors: {
    what: 'the operations API cannot read the index of what waits',
    async cause({ faults, countWaiting }) {
      faults.waiting = down;
      await countWaiting();
    },
  },
  OrderQueryServerErrors: {
    what: 'the order query cannot read the tables',
    async cause({ faults, get }) {
      faults.reads = down;
      await get('order-1');
    },
  },
};
