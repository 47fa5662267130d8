import { deliveryFaults } from './delivery-faults.ts';
import type { AlarmFault } from './fault.ts';
import { feedFaults } from './feed-faults.ts';
import { heartbeatFaults } from './heartbeat-faults.ts';
import { paymentServiceFaults } from './payment-service-faults.ts';
import { recordingFaults } from './recording-faults.ts';
import { waitingFaults } from './waiting-faults.ts';

/** A fault for every alarm, which drives the real stages into it. */
export const faults: Readonly<Record<string, AlarmFault>> = {
  ...deliveryFaults,
  ...recordingFaults,
  ...waitingFaults,
  ...feedFaults,
  ...heartbeatFaults,
  ...paymentServiceFaults,
};
