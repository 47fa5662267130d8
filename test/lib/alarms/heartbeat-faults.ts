import type { AlarmFault } from './fault.ts';

/** Faults that only the heartbeat shows. */
export const heartbeatFaults: Readonly<Record<string, AlarmFault>> = {
  HeartbeatMissing: {
    what: 'the name of the registered URL no longer resolves',
    others: ['LogsSilent'],
    async cause({ faults, pass }) {
      await pass(20);
      faults.dns = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
      await pass(15);
    },
  },
  LogsSilent: {
    what: 'the log group of the consumer is deleted',
    async cause({ deletedLogs, pass }) {
      await pass(20);
      deletedLogs.add('Consumer/Function/Logs');
      await pass(17);
    },
  },
};
