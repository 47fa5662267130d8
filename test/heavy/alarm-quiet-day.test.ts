import {
  bytesOf,
  failedEvent,
  paidEvent,
  refundedEvent,
  unknownEvent,
} from '@payhooks/payment-service/simulator';
import { runSimulator } from '@payhooks/payment-service/testing';
import { expect, it } from 'vitest';
import { createTokenRefresh } from '../../lambdas/token-refresh/token-refresh.ts';
import { startRotation } from '../doubles/token-rotation.ts';
import { type Deployment, startDeployment } from '../lib/alarms/deployment.ts';
import { telemetryOf } from '../lib/alarms/invocations.ts';
import { auditOf, ours } from '../lib/alarms/payment-service-faults.ts';
import { completeSettings } from '../lib/alarms/settings.ts';
import { synthesise } from '../lib/synthesis.ts';

const stack = synthesise(completeSettings);
const minutesPerDay = 24 * 60;

/** One customer every ten minutes; most pay, some twice notified, some refunded, some refused first. */
async function serveCustomer(number: number, { post, get }: Deployment): Promise<void> {
  const options = { orderId: `order-${number}`, seed: `customer ${number}` };
  const sandbox = { ...options, sandbox: true };
  if (number % 7 === 0) await post(bytesOf(failedEvent({ ...options, transactionId: `refused-${number}` })));
  await post(bytesOf(paidEvent(options)));
  if (number % 10 === 0) await post(bytesOf(paidEvent(options)));
  if (number % 12 === 0) await post(bytesOf(refundedEvent(options)));
  if (number % 20 === 0) await post(bytesOf(unknownEvent({ ...options, eventName: 'charge.won' })));
  if (number % 24 === 0) await post(bytesOf(paidEvent(sandbox)), { key: 'pri_sandbox_test' });
  await get(options.orderId);
}

/** What the internet sends as well: less in an hour than an alarm needs. */
async function serveInternet(hour: number, { post }: Deployment): Promise<void> {
  for (let scan = 0; scan < 3; scan += 1) await post(Buffer.from('<?php'), { signature: '' });
  if (hour % 6 === 0) await post(bytesOf(paidEvent({ orderId: 'forged' })), { key: 'pri_guessed' });
}

const title = 'customers, heartbeats, audits, counts, a rotation, scanners and one short fault';

it(`no alarm fires on a quiet day: ${title}`, async () => {
  const deployment = await startDeployment(stack);
  const { faults, state, invoke, pass, logged } = deployment;
  const { baseUrl, registerWebhook } = await runSimulator();
  registerWebhook(ours);
  state.audit = auditOf(baseUrl);
  const rotation = await startRotation();
  const rotate = createTokenRefresh({ ...rotation.parts, telemetry: telemetryOf(stack, 'TokenRefresh') });
  const versionId = await rotation.begin();
  for (const step of ['createSecret', 'setSecret', 'testSecret', 'finishSecret']) {
    await invoke('TokenRefresh', () => rotate(rotation.eventOf(versionId, step)));
  }

  await pass(minutesPerDay, async (minute) => {
    // For one minute of the day DynamoDB fails.
    if (minute === 600) faults.writes = new Error('timeout');
    if (minute === 601) delete faults.writes;
    if (minute % 10 === 0) await serveCustomer(minute / 10, deployment);
    if (minute % 60 === 30) await serveInternet((minute - 30) / 60, deployment);
  });

  expect(deployment.fired()).toEqual([]);
  expect(logged('heartbeat returned')).toBe(288);
  // By default what goes well leaves these lines for heartbeats only.
  expect(logged('webhook accepted')).toBe(288);
  expect(logged('webhook refused')).toBe(76);
  expect(logged('event handled')).toBe(logged('webhook accepted'));
  expect(logged('record will be retried')).toBeGreaterThan(0);
  expect(logged('order change published')).toBe(288);
  expect(logged('webhook audited')).toBe(96);
  expect(logged('rotation step done')).toBe(4);
});
