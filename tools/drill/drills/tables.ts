import { setTimeout as pause } from 'node:timers/promises';
import { DeleteTableCommand, PutItemCommand, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { orderAttributes, orderKey } from '../../../lambdas/contract/schema.ts';
import type { Drill } from '../drill.ts';
import { check } from '../expectation.ts';
import type { Scene } from '../scene.ts';
import { setReceivesMax } from './storage.ts';

const outageMinutes = 20;
/** The first three are paid before the fault, the others during it. */
const payments = ['1', '2', '3', '4', '5', '6'] as const;

/** The settings that `payhooks restore` prints for cdk.json. */
const settingsIn = (output: string): Record<string, string> =>
  Object.fromEntries(
    [...output.matchAll(/^ {2}"(\w+)": "?([^",\n]+)"?/gm)].map(([, name, value]) => [name, value]),
  );

async function statusOf({ get }: Scene, orderId: string): Promise<string> {
  const response = await get(`/orders/${orderId}`);
  return response.ok ? ((await response.json()) as { status: string }).status : String(response.status);
}

const untilStatus = (scene: Scene, orderId: string, status: string): Promise<string> =>
  scene.until(
    () => statusOf(scene, orderId),
    (found) => found === status,
    `the order ${orderId} is ${status}`,
  );

async function deliverAll(scene: Scene, events: readonly { readonly id: string }[]): Promise<void> {
  for (const event of events) {
    const status = await scene.deliver(event, scene.privateKey);
    check(status === 202, 'the webhook is accepted');
  }
}

export const deletedTable: Drill = {
  name: 'deleted-table',
  fault: 'The table of events is deleted while webhooks arrive.',
  alarm: 'EventsDelayed',
  async begin(scene) {
    const [before, meanwhile] = [payments.slice(0, 3), payments.slice(3)];
    const orderOf = (number: string): string => `drill-deleted-${number}`;
    await deliverAll(
      scene,
      before.map((number) => paidEvent({ orderId: orderOf(number), transactionId: `t-${number}` })),
    );
    for (const number of before) await untilStatus(scene, orderOf(number), 'paid');
    const { dynamodb, pipeline } = scene;
    const { eventsTableName: TableName } = pipeline.resources;
    await dynamodb.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
    await dynamodb.send(new DeleteTableCommand({ TableName }));
    // One is given up as a dead letter; the others wait in the queue.
    await setReceivesMax(scene, 1);
    await deliverAll(scene, [paidEvent({ orderId: orderOf('dead') })]);
    await scene.untilFiring('DeadLettersPresent');
    await setReceivesMax(scene, 90);
    await deliverAll(scene, [
      ...meanwhile.map((number) => paidEvent({ orderId: orderOf(number) })),
      refundedEvent({ orderId: orderOf('1'), transactionId: 't-1' }),
    ]);
    await scene.passMinutes(outageMinutes);
  },
  async repair(scene) {
    const section = 'A table was deleted';
    const { output } = await scene.follow(section, 'restore');
    scene.say('The settings are added to cdk.json.');
    await scene.redeploy(settingsIn(output));
    await scene.follow(section, 'dlq redrive');
    for (const number of ['2', '3', '4', '5', '6', 'dead'])
      await untilStatus(scene, `drill-deleted-${number}`, 'paid');
    await untilStatus(scene, 'drill-deleted-1', 'refunded');
    await scene.follow(section, 'rebuild --verify');
  },
};

export const restoredTable: Drill = {
  name: 'restored-table',
  fault: 'A script overwrites orders with rows that nobody can add to.',
  alarm: 'EventsDelayed',
  async begin(scene) {
    const orderOf = (number: string): string => `drill-restored-${number}`;
    const pay = (number: string) => paidEvent({ orderId: orderOf(number), transactionId: `r-${number}` });
    await deliverAll(scene, payments.slice(0, 3).map(pay));
    for (const number of payments.slice(0, 3)) await untilStatus(scene, orderOf(number), 'paid');
    await pause(1_100);
    safeTime = new Date(Math.floor(Date.now() / 1_000) * 1_000).toISOString().replace('.000', '');
    await pause(1_100);
    const refund = refundedEvent({ orderId: orderOf('1'), transactionId: 'r-1' });
    await deliverAll(scene, [...payments.slice(3).map(pay), refund]);
    for (const number of payments.slice(3)) await untilStatus(scene, orderOf(number), 'paid');
    await untilStatus(scene, orderOf('1'), 'refunded');
    const { ordersTableName: TableName } = scene.pipeline.resources;
    for (const number of ['1', '2', '5']) {
      const Item = {
        [orderAttributes.key]: { S: orderKey('live', orderOf(number)) },
        [orderAttributes.sequence]: { S: 'written by a script' },
      };
      await scene.dynamodb.send(new PutItemCommand({ TableName, Item }));
    }
    check((await statusOf(scene, orderOf('2'))) === 'pending', 'a damaged order shows no payment');
    await deliverAll(scene, [paidEvent({ orderId: orderOf('5'), transactionId: 'r-5-2' })]);
    await scene.passMinutes(outageMinutes);
  },
  async repair(scene) {
    const section = 'Rows are wrong';
    const { output } = await scene.follow(section, 'restore --table orders', { SAFE_TIME: safeTime });
    scene.say('The settings are added to cdk.json.');
    await scene.redeploy(settingsIn(output));
    check(
      (await statusOf(scene, 'drill-restored-1')) === 'paid',
      'the restored state is older than the refund',
    );
    await scene.follow('A table was deleted', 'rebuild --verify', {}, { expected: 1 });
    await scene.follow('A table was deleted', 'rebuild --reason');
    await scene.follow('A table was deleted', 'rebuild --verify');
    await untilStatus(scene, 'drill-restored-1', 'refunded');
    for (const number of payments.slice(1)) await untilStatus(scene, `drill-restored-${number}`, 'paid');
  },
};

/** Before the damage; an operator reads it in the log. */
let safeTime = '';
