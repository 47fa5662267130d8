import type { AlarmFault } from './fault.ts';

/** What waits for a person, and a count that does not run. */
export const waitingFaults: Readonly<Record<string, AlarmFault>> = {
  WaitingCountSilent: {
    what: 'what waits is not counted for 15 minutes',
    async cause({ faults, pass }) {
      faults.waiting = new Error('DynamoDB is unavailable');
      await pass(17);
    },
  },
};
