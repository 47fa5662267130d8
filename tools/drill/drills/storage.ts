import { GetQueueAttributesCommand, SetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { paidEvent } from '@payhooks/payment-service/simulator';
import { queueReceivesMax } from '../../../lambdas/contract/limits.ts';
import type { Drill } from '../drill.ts';
import { check } from '../expectation.ts';
import { published } from '../published.ts';

const serverError = { status: 500, code: 'InternalServerError' } as const;
/** Longer than the delays that an alarm allows. */
const outageMinutes = 20;

export const queueRefuses: Drill = {
  name: 'queue-refuses',
  fault: 'SQS refuses every message.',
  alarm: 'WebhookServerErrors',
  async begin({ deliver, privateKey, fail }) {
    fail('sqs', { operations: ['SendMessage'], status: 503, code: 'ServiceUnavailable' });
    const status = await deliver(paidEvent({ orderId: 'drill-queue' }), privateKey);
    check(status === 503, 'a webhook gets 503 while it cannot be stored');
  },
  async repair({ endFaults, say }) {
    say('SQS works again; the payment service delivers again what got 503.');
    endFaults();
  },
};

export const databaseDown: Drill = {
  name: 'database-down',
  fault: 'DynamoDB fails for twenty minutes.',
  alarm: 'EventsDelayed',
  async begin({ deliver, privateKey, fail, passMinutes }) {
    fail('dynamodb', { ...serverError, operations: ['PutItem', 'UpdateItem', 'GetItem'] });
    for (let count = 1; count <= 5; count += 1) {
      const status = await deliver(paidEvent({ orderId: `drill-database-${count}` }), privateKey);
      check(status === 202, 'webhooks are accepted while the database is down');
    }
    await passMinutes(outageMinutes);
  },
  async repair({ endFaults, say, until, eventsWaiting }) {
    say('DynamoDB works again; the queue delivers by itself what waits in it.');
    endFaults();
    // Each has a back-off of its own in real time, heartbeats too, and the alarm goes by the oldest of them.
    await until(eventsWaiting, (count) => count === 0, 'everything that waits is recorded');
  },
};

/** How many times a message is received before it is a dead letter; few, so that a drill takes seconds. */
export const setReceivesMax = async (
  { sqs, pipeline }: Parameters<Drill['begin']>[0],
  maxReceiveCount: number,
): Promise<void> => {
  const { eventQueueUrl: QueueUrl } = pipeline.resources;
  const AttributeNames = ['RedrivePolicy' as const];
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
  const policy = { ...JSON.parse(Attributes?.['RedrivePolicy'] ?? ''), maxReceiveCount };
  const RedrivePolicy = JSON.stringify(policy);
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { RedrivePolicy } }));
};

export const poisonMessage: Drill = {
  name: 'poison-message',
  fault: 'The consumer fails on an event until SQS gives it up as a dead letter.',
  alarm: 'DeadLettersPresent',
  async begin(scene) {
    await setReceivesMax(scene, 1);
    scene.fail('dynamodb', { ...serverError, operations: ['PutItem'] });
    const status = await scene.deliver(paidEvent({ orderId: 'drill-poison' }), scene.privateKey);
    check(status === 202, 'the webhook is accepted');
  },
  async repair(scene) {
    scene.say('The cause is fixed.');
    scene.endFaults();
    await setReceivesMax(scene, queueReceivesMax);
    await scene.follow('DeadLettersPresent', 'dlq list');
    await scene.follow('DeadLettersPresent', 'dlq redrive');
    await scene.until(
      () => scene.get('/orders/drill-poison'),
      ({ ok }) => ok,
      'the event is in its order',
    );
  },
};

export const stoppedFeed: Drill = {
  name: 'stopped-feed',
  fault: 'EventBridge accepts no changes of orders for twenty minutes.',
  alarm: 'FeedDelayed',
  async begin({ deliver, privateKey, fail, passMinutes, until, eventsWaiting }) {
    fail('eventBridge', serverError);
    check(
      (await deliver(paidEvent({ orderId: 'drill-feed' }), privateKey)) === 202,
      'the webhook is accepted',
    );
    // A change that is made after the time has passed is not late.
    await until(eventsWaiting, (count) => count === 0, 'the event is recorded');
    await passMinutes(outageMinutes);
  },
  async repair({ endFaults, say, until, pipeline }) {
    say('EventBridge works again; the feed continues where it stopped.');
    endFaults();
    await until(
      () => published(pipeline.baseUrl),
      (orders) => orders.includes('drill-feed'),
      'the change of the order is published',
    );
  },
};
