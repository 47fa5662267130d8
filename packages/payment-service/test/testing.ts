/** For vitest tests of other packages: servers that stop with the test. */
export {
  pageJson,
  quickPolicy,
  type Received,
  type Scripted,
  startService,
  uuid,
  webhookJson,
} from './client/service.ts';
export {
  event,
  paidWebhook,
  type RunningSimulator,
  runReceiver,
  runSimulator,
} from './simulator/running-simulator.ts';
