import { EventBridgeClient, PutRuleCommand, PutTargetsCommand } from '@aws-sdk/client-eventbridge';
import {
  CreateAccessKeyCommand,
  CreateUserCommand,
  IAMClient,
  PutUserPolicyCommand,
} from '@aws-sdk/client-iam';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import { createSend } from '../acceptance/pipeline.ts';
import { clientOptions } from './deployment.ts';
import type { MiniStack } from './ministack.ts';

// What operators, order systems and AWS itself do to a deployment.

export interface Identity {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

const rootUser: Identity = { accessKeyId: 'test', secretAccessKey: 'test' };

/** Signs requests to one service; the signature covers a body only when it is given. */
export function createSigner(
  { region }: MiniStack,
  { service, credentials = rootUser }: { readonly service: string; readonly credentials?: Identity },
) {
  const signature = new SignatureV4({ service, region, credentials, sha256: Hash.bind(null, 'sha256') });
  return async function signRequest(url: URL, method = 'GET', body = ''): Promise<Record<string, string>> {
    const { protocol, hostname, host, pathname: path, searchParams } = url;
    const headers = { host, 'content-type': 'application/json' };
    const query = Object.fromEntries(searchParams);
    return (await signature.sign({ method, protocol, hostname, path, query, headers, body })).headers;
  };
}

interface ApiRequest {
  readonly service: 'lambda' | 'scheduler';
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: unknown;
}

/** Calls an API of AWS for which the repository has no client, as the root user. */
async function call(ministack: MiniStack, { service, method, path, body }: ApiRequest): Promise<unknown> {
  const url = new URL(path, ministack.endpoint);
  const content = body === undefined ? '' : JSON.stringify(body);
  const headers = await createSigner(ministack, { service })(url, method, content);
  const send = createSend({ method, ca: ministack.certificate.ca });
  const response = await send(`${url}`, content === '' ? undefined : Buffer.from(content), headers);
  if (response.status !== 200 || response.headers['x-amz-function-error'] !== undefined) {
    throw new Error(`${method} ${path} got ${response.status}: ${response.body}`);
  }
  return JSON.parse(response.body);
}

/** Invokes a function and returns its result. Rejects when it threw. */
export function invoke(ministack: MiniStack, functionName: string, payload: unknown = {}): Promise<unknown> {
  const path = `/2015-03-31/functions/${functionName}/invocations`;
  return call(ministack, { service: 'lambda', method: 'POST', path, body: payload });
}

/** A schedule as EventBridge Scheduler describes it. */
interface Schedule {
  readonly State: string;
  readonly ScheduleExpression: string;
  readonly Target: { readonly Arn: string; readonly RoleArn: string; readonly Input?: string };
}

async function readSchedule(ministack: MiniStack, name: string): Promise<Schedule> {
  const path = `/schedules/${name}`;
  return (await call(ministack, { service: 'scheduler', method: 'GET', path })) as Schedule;
}

/** Changes the time of a schedule; its target and its role stay. */
export async function reschedule(
  ministack: MiniStack,
  name: string,
  ScheduleExpression: string,
): Promise<void> {
  const body = { ...(await readSchedule(ministack, name)), ScheduleExpression };
  await call(ministack, { service: 'scheduler', method: 'PUT', path: `/schedules/${name}`, body });
}

/** Makes the calls of SQS that schedules make on AWS; on MiniStack a schedule only invokes functions. */
export async function callScheduledSqs(ministack: MiniStack): Promise<void> {
  const listed = await call(ministack, { service: 'scheduler', method: 'GET', path: '/schedules' });
  const { Schedules } = listed as { readonly Schedules: readonly { readonly Name: string }[] };
  const sqs = new SQSClient(clientOptions(ministack));
  for (const { Name } of Schedules) {
    const { Arn, Input = '' } = (await readSchedule(ministack, Name)).Target;
    if (Arn === 'arn:aws:scheduler:::aws-sdk:sqs:setQueueAttributes') {
      await sqs.send(new SetQueueAttributesCommand(JSON.parse(Input)));
    }
  }
  sqs.destroy();
}

/** A user of the account who may call the APIs of `invokeArn`, or none without it. */
export async function createOrderSystem(
  ministack: MiniStack,
  UserName: string,
  invokeArn?: string,
  Action = 'execute-api:Invoke',
): Promise<Identity> {
  const iam = new IAMClient(clientOptions(ministack));
  await iam.send(new CreateUserCommand({ UserName }));
  if (invokeArn !== undefined) {
    const Statement = { Effect: 'Allow', Action, Resource: invokeArn };
    const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement });
    await iam.send(new PutUserPolicyCommand({ UserName, PolicyName: 'query', PolicyDocument }));
  }
  const { AccessKey } = await iam.send(new CreateAccessKeyCommand({ UserName }));
  iam.destroy();
  return { accessKeyId: `${AccessKey?.AccessKeyId}`, secretAccessKey: `${AccessKey?.SecretAccessKey}` };
}

/** An event as EventBridge delivers it. */
export interface BusEvent {
  readonly source: string;
  readonly 'detail-type': string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Sends everything that payhooks publishes on a bus to a queue, as an order system does, and reads that queue. */
export async function observeBus(ministack: MiniStack, busArn: string) {
  const events = new EventBridgeClient(clientOptions(ministack));
  const sqs = new SQSClient(clientOptions(ministack));
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'observer' }));
  const attributes = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] });
  const Arn = (await sqs.send(attributes)).Attributes?.['QueueArn'];
  const Principal = { Service: 'events.amazonaws.com' };
  const Statement = { Effect: 'Allow', Principal, Action: 'sqs:SendMessage', Resource: Arn };
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement });
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy } }));
  const rule = { EventBusName: busArn.split('/').at(-1), Name: 'observer' };
  const EventPattern = JSON.stringify({ source: [{ prefix: 'payhooks' }] });
  await events.send(new PutRuleCommand({ ...rule, EventPattern }));
  const { EventBusName, Name: Rule } = rule;
  await events.send(new PutTargetsCommand({ EventBusName, Rule, Targets: [{ Id: 'queue', Arn }] }));
  events.destroy();
  return {
    /** The next events, of which there is at least one. */
    async next(): Promise<BusEvent[]> {
      const receive = new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 10, MaxNumberOfMessages: 10 });
      const { Messages = [] } = await sqs.send(receive);
      for (const { ReceiptHandle } of Messages) {
        await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      }
      return Messages.map(({ Body }) => JSON.parse(Body ?? '') as BusEvent);
    },
    close: () => sqs.destroy(),
  };
}
