export { assumedScopes } from '../assumptions.ts';
export { noRetries, type RetrySchedule } from './delivery/retry-schedule.ts';
export { type Delivery, sendUntilAcknowledged } from './delivery/sender.ts';
export {
  bytesOf,
  disputedEvent,
  failedEvent,
  paidEvent,
  refundedEvent,
  type SampleEvent,
  type SampleOptions,
  unknownEvent,
} from './sample-events.ts';
export { createSimulator, type Simulator, type SimulatorOptions } from './simulator.ts';
