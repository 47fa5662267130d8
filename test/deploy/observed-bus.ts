import {
  CloudFormationClient,
  CreateStackCommand,
  DescribeStacksCommand,
  waitUntilStackCreateComplete,
} from '@aws-sdk/client-cloudformation';
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { clientOptions } from './deployment.ts';
import type { MiniStack } from './ministack.ts';

/** An event as EventBridge delivers it. */
export interface BusEvent {
  readonly source: string;
  readonly 'detail-type': string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** What an order system would deploy: a rule on the bus that sends everything of payhooks to its own queue. */
const observer = (busArn: string) => ({
  Resources: {
    Queue: { Type: 'AWS::SQS::Queue' },
    Policy: {
      Type: 'AWS::SQS::QueuePolicy',
      Properties: {
        Queues: [{ Ref: 'Queue' }],
        PolicyDocument: {
          Version: '2012-10-17',
          Statement: {
            Effect: 'Allow',
            Principal: { Service: 'events.amazonaws.com' },
            Action: 'sqs:SendMessage',
            Resource: { 'Fn::GetAtt': ['Queue', 'Arn'] },
          },
        },
      },
    },
    Rule: {
      Type: 'AWS::Events::Rule',
      Properties: {
        EventBusName: busArn.split('/').at(-1),
        EventPattern: { source: [{ prefix: 'payhooks' }] },
        Targets: [{ Id: 'queue', Arn: { 'Fn::GetAtt': ['Queue', 'Arn'] } }],
      },
    },
  },
  Outputs: { QueueUrl: { Value: { Ref: 'Queue' } } },
});

/** Deploys an observer of a bus; gives what reads the next events that came, waiting for the first. */
export async function observeBus(ministack: MiniStack, busArn: string) {
  const options = clientOptions(ministack);
  const cloudFormation = new CloudFormationClient(options);
  const sqs = new SQSClient(options);
  const stack = { StackName: 'observer' };
  const TemplateBody = JSON.stringify(observer(busArn));
  await cloudFormation.send(new CreateStackCommand({ ...stack, TemplateBody }));
  await waitUntilStackCreateComplete({ client: cloudFormation, maxWaitTime: 60, minDelay: 1 }, stack);
  const { Stacks } = await cloudFormation.send(new DescribeStacksCommand(stack));
  const QueueUrl = Stacks?.[0]?.Outputs?.[0]?.OutputValue;
  cloudFormation.destroy();
  return {
    async next(): Promise<BusEvent[]> {
      const received = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 10, MaxNumberOfMessages: 10 }),
      );
      const { Messages = [] } = received;
      for (const { ReceiptHandle } of Messages) {
        await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      }
      return Messages.map(({ Body }) => JSON.parse(Body ?? '') as BusEvent);
    },
    close: () => sqs.destroy(),
  };
}
