import { DeleteTableCommand, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { paidEvent, refundedEvent, type SampleEvent } from '@payhooks/payment-service/simulator';
import { outageMinutes, setReceivesMax } from './breaking.ts';
import type { Scenario, Texts } from './scenario.ts';
import { seeAllPaid, seeFiring, seeOrder } from './sights.ts';
import type { Stage } from './stage.ts';

const section = 'A table was deleted';

/** The settings that `payhooks restore` prints for cdk.json. */
const settingsIn = (output: string): Texts =>
  Object.fromEntries(
    [...output.matchAll(/^ {2}"(\w+)": "?([^",\n]+)"?/gm)].map(([, name = '', value = '']) => [name, value]),
  );

/** The orders of a scenario, which are paid before or after the table is damaged. */
function ordersOf({ orderId, post }: Stage) {
  const orders = (...numbers: readonly number[]) => numbers.map((number) => `${orderId}-${number}`);
  const [first = ''] = orders(1);
  const pay = (id: string): SampleEvent => paidEvent({ orderId: id, transactionId: `transaction-${id}` });
  return {
    ...{ orders, first },
    async payAll(...numbers: readonly number[]): Promise<void> {
      for (const id of orders(...numbers)) await post(pay(id));
    },
    refundFirst: () => post(refundedEvent({ orderId: first, transactionId: `transaction-${first}` })),
  };
}

export const deletedTable: Scenario = {
  name: 'deleted-table',
  title: 'The table of events is deleted while webhooks arrive',
  alarm: 'EventsDelayed',
  minutes: outageMinutes,
  async begin(stage) {
    const { orders, first, payAll, refundFirst } = ordersOf(stage);
    await payAll(1, 2, 3);
    await seeAllPaid(stage, orders(1, 2, 3));
    const { clients, resources } = stage.pipeline;
    const TableName = resources.eventsTableName;
    await clients.dynamodb.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
    await clients.dynamodb.send(new DeleteTableCommand({ TableName }));
    // One is given up as a dead letter; the others wait in the queue.
    await setReceivesMax(stage, 1);
    await payAll(4);
    await seeFiring(stage, 'DeadLettersPresent');
    await setReceivesMax(stage, 90);
    await payAll(5, 6);
    await refundFirst();
    return {
      async repair({ follow, say, redeploy }) {
        const output = await follow('restore', { section });
        say('The settings are added to cdk.json.');
        await redeploy(settingsIn(output));
        await follow('dlq redrive', { section });
        await seeAllPaid(stage, orders(2, 3, 4, 5, 6));
        await seeOrder(stage, { status: 'refunded', events: 2, orderId: first });
        await follow('rebuild --verify', { section });
      },
    };
  },
};
