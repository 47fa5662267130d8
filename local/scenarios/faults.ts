import assert from 'node:assert/strict';
import { DeleteLogGroupCommand } from '@aws-sdk/client-cloudwatch-logs';
import { paidEvent } from '@payhooks/payment-service/simulator';
import { safeguardsOffAlarmHours } from '../../lambdas/contract/alarm-thresholds.ts';
import { queueReceivesMax } from '../../lambdas/contract/limits.ts';
import { outageMinutes, refusing, setReceivesMax, switchedOff } from './breaking.ts';
import type { Scenario } from './scenario.ts';
import { messagesOf, read, seeAllPaid, seeNoOrder, seeOrder, seePublished } from './sights.ts';
import type { Stage } from './stage.ts';

const serverError = { status: 500, code: 'InternalServerError' } as const;

/** Sends payments of new orders; resolves with the orders. */
async function sendPayments(stage: Stage, count: number): Promise<readonly string[]> {
  const orderIds = Array.from({ length: count }, (_, index) => `${stage.orderId}-${index + 1}`);
  for (const orderId of orderIds) await stage.post(paidEvent({ orderId, amount: '15.00' }));
  return orderIds;
}

const queueRefuses: Scenario = {
  name: 'queue-refuses',
  title: 'SQS refuses every message',
  alarm: 'WebhookServerErrors',
  page: {
    group: 'faults',
    does: 'Lets SQS refuse every message for ten seconds, and sends a payment before and after the end.',
    expected: 'The payment gets 503 at first, and 2xx once SQS works again.',
    guarantee:
      'A webhook gets 2xx only once it is stored; what gets 503, the payment service delivers again.',
  },
  async begin(stage) {
    const over = 'SQS works again; the payment service delivers again what got 503.';
    const refusal = { operations: ['SendMessage'], status: 503, code: 'ServiceUnavailable' };
    const payment = paidEvent({ orderId: stage.orderId });
    await stage.fail(refusing(stage, over, 'sqs', refusal));
    await stage.post(payment, { expected: '503' });
    return {
      async end() {
        await stage.post(payment);
        await seeOrder(stage, { status: 'paid' });
      },
    };
  },
};

const databaseDown: Scenario = {
  name: 'database-down',
  title: 'Every write to DynamoDB fails',
  alarm: 'EventsDelayed',
  minutes: outageMinutes,
  page: {
    group: 'faults',
    does: 'Lets every write to DynamoDB fail for ten seconds, and sends five payments in that time.',
    expected: 'All get 2xx, and all are recorded once the database works again.',
    guarantee:
      'An acknowledged event waits in the queue and is tried again for hours; no operator is needed.',
  },
  async begin(stage) {
    const over = 'DynamoDB works again; the queue delivers by itself what waits in it.';
    const refusal = { ...serverError, operations: ['PutItem', 'UpdateItem'] };
    await stage.fail(refusing(stage, over, 'dynamodb', refusal));
    const orderIds = await sendPayments(stage, 5);
    // Otherwise nothing is broken.
    await seeNoOrder(stage, orderIds[0]);
    return { end: () => seeAllPaid(stage, orderIds) };
  },
};

const stoppedConsumer: Scenario = {
  name: 'stopped-consumer',
  title: 'The consumer receives nothing',
  alarm: 'EventsDelayed',
  minutes: outageMinutes,
  page: {
    group: 'faults',
    does: 'Switches off the event source mapping of the consumer for ten seconds, and sends ten payments.',
    expected: 'All get 2xx and wait in the queue; all are recorded once the consumer is back.',
    guarantee: 'Webhooks are accepted while nothing behind the queue works.',
  },
  async begin(stage) {
    const queue = new RegExp(`:${stage.pipeline.resources.eventQueueUrl.split('/').at(-1)}$`);
    await stage.fail(switchedOff(stage, queue, 'The consumer receives again.'));
    const orderIds = await sendPayments(stage, 10);
    // Otherwise nothing is broken.
    await seeNoOrder(stage, orderIds[0]);
    return {
      repair: ({ follow }) => follow('repair'),
      end: () => seeAllPaid(stage, orderIds),
    };
  },
};

const poisonMessage: Scenario = {
  name: 'poison-message',
  title: 'The consumer fails on an event until SQS gives it up as a dead letter',
  alarm: 'DeadLettersPresent',
  async begin(stage) {
    await setReceivesMax(stage, 1);
    const refusal = { ...serverError, operations: ['PutItem'] };
    await stage.fail(refusing(stage, 'The cause is fixed.', 'dynamodb', refusal));
    await stage.post(paidEvent({ orderId: stage.orderId }));
    return {
      async repair({ follow, endFaults }) {
        await endFaults();
        await setReceivesMax(stage, queueReceivesMax);
        await follow('dlq list');
        await follow('dlq redrive');
      },
      end: () => seeOrder(stage, { status: 'paid' }),
    };
  },
};

/** Pays an order whose change is published only after the fault. */
async function payUnpublished(stage: Stage): Promise<void> {
  await stage.send(paidEvent({ orderId: stage.orderId }));
  await seeOrder(stage, { status: 'paid' });
  assert((await messagesOf(stage)).length === 0, 'The change is published meanwhile.');
}

const stoppedFeed: Scenario = {
  name: 'stopped-feed',
  title: 'EventBridge accepts no changes of orders',
  alarm: 'FeedDelayed',
  minutes: outageMinutes,
  async begin(stage) {
    const over = 'EventBridge works again; the feed continues where it stopped.';
    await stage.fail(refusing(stage, over, 'eventBridge', serverError));
    await payUnpublished(stage);
    return { end: () => seePublished(stage) };
  },
};

const disabledFeed: Scenario = {
  name: 'disabled-feed',
  title: 'Someone has disabled the mapping of the order feed',
  alarm: 'HeartbeatMissing',
  minutes: outageMinutes,
  async begin(stage) {
    await stage.fail(switchedOff(stage, /\/stream\//, 'The order feed runs again.'));
    await payUnpublished(stage);
    return {
      repair: ({ follow }) => follow('repair'),
      end: () => seePublished(stage),
    };
  },
};

const deletedLogGroup: Scenario = {
  name: 'deleted-log-group',
  title: 'Someone has deleted the log group of the consumer',
  alarm: 'SafeguardsOff',
  // Longer than two checks.
  minutes: (safeguardsOffAlarmHours + 1) * 60,
  async begin(stage) {
    const { outputs } = await read<{ readonly outputs: Record<string, string> }>(stage, '/stack');
    const logGroupName = outputs['ConsumerLogGroup'];
    await stage.pipeline.clients.logs.send(new DeleteLogGroupCommand({ logGroupName }));
    await stage.post(paidEvent({ orderId: stage.orderId }));
    return {
      repair: ({ follow }) => follow('repair', { section: 'Changed by hand' }),
      end: () => seePublished(stage),
    };
  },
};

/** Broken AWS resources and services. */
export const faultScenarios = [
  ...[queueRefuses, databaseDown, stoppedConsumer, poisonMessage],
  ...[stoppedFeed, disabledFeed, deletedLogGroup],
];
