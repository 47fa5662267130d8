import { DeleteLogGroupCommand } from '@aws-sdk/client-cloudwatch-logs';
import {
  GetEventSourceMappingCommand,
  ListEventSourceMappingsCommand,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { paidEvent } from '@payhooks/payment-service/simulator';
import type { Drill } from '../drill.ts';
import { check } from '../expectation.ts';
import { published } from '../published.ts';
import type { Scene } from '../scene.ts';

/** Longer than the alarms allow. */
const outageMinutes = 20;

async function disableFeed({ lambda, until }: Scene): Promise<void> {
  const { EventSourceMappings = [] } = await lambda.send(new ListEventSourceMappingsCommand({}));
  const feed = EventSourceMappings.find(({ EventSourceArn }) => EventSourceArn?.includes('/stream/'));
  check(feed !== undefined, 'the order feed has a mapping');
  const { UUID } = feed;
  await lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: false }));
  await until(
    () => lambda.send(new GetEventSourceMappingCommand({ UUID })),
    ({ State }) => State === 'Disabled',
    'the mapping of the order feed is disabled',
  );
}

async function deliverPayment({ deliver, privateKey }: Scene, orderId: string): Promise<void> {
  const status = await deliver(paidEvent({ orderId }), privateKey);
  check(status === 202, 'the webhook is accepted');
}

const untilRecorded = ({ until, get }: Scene, orderId: string) =>
  until(
    () => get(`/orders/${orderId}`),
    ({ ok }) => ok,
    `the event of ${orderId} is in its order`,
  );

const untilPublished = ({ until, pipeline }: Scene, orderId: string) =>
  until(
    () => published(pipeline.baseUrl),
    (events) => events.includes(orderId),
    `the change of ${orderId} is published`,
  );

export const disabledFeed: Drill = {
  name: 'disabled-feed',
  fault: 'Someone has disabled the mapping of the order feed.',
  alarm: 'HeartbeatMissing',
  async begin(scene) {
    await disableFeed(scene);
    await deliverPayment(scene, 'drill-disabled-feed');
    await untilRecorded(scene, 'drill-disabled-feed');
    await scene.passMinutes(outageMinutes);
    const text = await published(scene.pipeline.baseUrl);
    check(!text.includes('drill-disabled-feed'), 'nothing is published meanwhile');
  },
  async repair(scene) {
    await scene.follow('HeartbeatMissing', 'repair');
    await untilPublished(scene, 'drill-disabled-feed');
  },
};

export const deletedLogGroup: Drill = {
  name: 'deleted-log-group',
  fault: 'Someone has deleted the log group of the consumer.',
  alarm: 'LogsSilent',
  async begin(scene) {
    const { outputs } = (await (await scene.get('/stack')).json()) as { outputs: Record<string, string> };
    const logGroupName = outputs['ConsumerLogGroup'];
    await scene.logs.send(new DeleteLogGroupCommand({ logGroupName }));
    await deliverPayment(scene, 'drill-deleted-log-group');
    await scene.passMinutes(outageMinutes);
  },
  async repair(scene) {
    await scene.follow('LogsSilent', 'repair');
    await untilRecorded(scene, 'drill-deleted-log-group');
    await untilPublished(scene, 'drill-deleted-log-group');
  },
};
