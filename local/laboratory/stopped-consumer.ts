import {
  GetEventSourceMappingCommand,
  LambdaClient,
  ListEventSourceMappingsCommand,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { credentials, region } from '@payhooks/cdk-local';
import type { Bench } from './bench.ts';
import { both, type Experiment } from './experiment.ts';
import { seeAllPaid, seeNoneRecorded, sendPayments } from './payments.ts';

const count = 10;

export const stoppedConsumer: Experiment = {
  name: 'stopped-consumer',
  group: 'faults',
  disturbs: true,
  title: 'Stop the consumer',
  does: `Switches off the event source mapping of the consumer for ten seconds, and sends ${count} payments.`,
  expected: 'All get 2xx and wait in the queue; all are recorded once the consumer is back.',
  guarantee: 'Webhooks are accepted while nothing behind the queue works.',
  alarm: null,
  async run(bench) {
    const { endpoints } = bench.pipeline;
    const lambda = new LambdaClient({ endpoint: endpoints.lambda, region, credentials });
    try {
      const id = await mappingOfQueue(lambda, bench);
      const { paid, during } = await bench.withFault(
        {
          title: 'The consumer receives nothing',
          over: 'The consumer receives again.',
          milliseconds: 10_000,
          async begin() {
            const end = () => switchMapping(bench, lambda, { id, enabled: true });
            // Local mode may stop while this waits.
            await switchMapping(bench, lambda, { id, enabled: false }).catch((error: unknown) =>
              end().finally(() => Promise.reject(error)),
            );
            return end;
          },
        },
        async (isOn) => {
          const acknowledged = await sendPayments(bench, { count, everyMilliseconds: 400 });
          const waiting = await messagesInQueue(bench);
          bench.record.step('seen', `${waiting} messages wait in the queue; heartbeats are among them.`);
          return { paid: acknowledged, during: await seeNoneRecorded(bench, acknowledged, isOn) };
        },
      );
      return both(during, await seeAllPaid(bench, paid, count));
    } finally {
      lambda.destroy();
    }
  },
};

/** The mapping that reads the queue of events. */
async function mappingOfQueue(lambda: LambdaClient, { pipeline }: Bench): Promise<string> {
  const queueName = pipeline.resources.eventQueueUrl.split('/').at(-1);
  const { EventSourceMappings = [] } = await lambda.send(new ListEventSourceMappingsCommand({}));
  const found = EventSourceMappings.find((one) => one.EventSourceArn?.split(':').at(-1) === queueName);
  if (found?.UUID === undefined) throw new Error(`No event source mapping reads the queue ${queueName}.`);
  return found.UUID;
}

interface Switch {
  readonly id: string;
  readonly enabled: boolean;
}

/** Resolves when it has taken effect. Not bound to the signal: the end of a fault happens in every case. */
async function switchMapping(bench: Bench, lambda: LambdaClient, { id, enabled }: Switch): Promise<void> {
  await lambda.send(new UpdateEventSourceMappingCommand({ UUID: id, Enabled: enabled }));
  const wanted = enabled ? 'Enabled' : 'Disabled';
  const read = () => lambda.send(new GetEventSourceMappingCommand({ UUID: id }));
  if (!bench.signal.aborted) await bench.until(read, ({ State }) => State === wanted);
}

async function messagesInQueue({ pipeline }: Bench): Promise<number> {
  const sqs = new SQSClient({ endpoint: pipeline.endpoints.sqs, region, credentials });
  try {
    const QueueUrl = pipeline.resources.eventQueueUrl;
    const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
    const { Attributes = {} } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...names] }),
    );
    return names.reduce((sum, name) => sum + Number(Attributes[name]), 0);
  } finally {
    sqs.destroy();
  }
}
