import { paid } from '../../doubles/facts.ts';
import type { AlarmFault } from './fault.ts';

const change = { after: [paid('evt-1')] };
const minutesPerHour = 60;

/** Faults of the order feed. */
export const feedFaults: Readonly<Record<string, AlarmFault>> = {
  FeedDelayed: {
    what: 'EventBridge refuses a change for 15 minutes',
    others: ['HeartbeatMissing'],
    async cause({ faults, changeOrder, pass }) {
      faults.bus = 'InternalFailure';
      changeOrder(change);
      await pass(17);
    },
  },
  FeedErrors: {
    what: 'the order feed crashes',
    cause: ({ invoke, stages }) => invoke('OrderFeed', () => stages.feed({} as never)),
  },
  FeedThrottles: {
    what: 'Lambda throttles the order feed for 15 minutes',
    others: ['HeartbeatMissing'],
    async cause({ throttled, changeOrder, pass }) {
      throttled.add('OrderFeed');
      changeOrder(change);
      await pass(12);
    },
  },
  FeedFailuresPresent: {
    what: 'EventBridge refuses a change for 12 hours',
    others: ['FeedDelayed', 'HeartbeatMissing'],
    async cause({ state, faults, changeOrder, pass }) {
      state.assumesSchedules = true;
      faults.bus = 'InternalFailure';
      changeOrder(change);
      await pass(12 * minutesPerHour + 2);
    },
  },
  FeedFailuresLost: {
    what: 'the failure queue does not take what Lambda gave up on',
    others: ['FeedDelayed', 'HeartbeatMissing'],
    async cause({ state, faults, refuseFeedFailures, changeOrder, pass }) {
      state.assumesSchedules = true;
      faults.bus = 'InternalFailure';
      refuseFeedFailures();
      changeOrder(change);
      await pass(12 * minutesPerHour + 2);
    },
  },
  ChangesLate: {
    what: 'a change is committed 25 seconds after its time stamp',
    async cause({ changeOrder, pass }) {
      const committedAt = Date.parse('2026-11-21T00:00:25.000Z') / 1_000;
      changeOrder({ ...change, updatedAt: '2026-11-21T00:00:00.000Z', committedAt });
      await pass(1);
    },
  },
};
