import { type CreatedStack, region } from '@payhooks/cdk-local';
import type { Simulator } from '@payhooks/payment-service/simulator';
import { alarmView } from './alarms.ts';

/** What a tool needs to find the parts of the stack on this machine, and its alarms; no key. */
export function stackViews({ model, endpoints, alarms }: CreatedStack, simulator: Simulator) {
  const { stackName, outputs } = model;
  const view = { stack: stackName, outputs, endpoints, region, service_url: simulator.baseUrl };
  return { '/stack': () => view, '/alarms': () => alarms().map(alarmView) };
}
