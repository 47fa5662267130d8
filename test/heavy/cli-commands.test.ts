import {
  GetEventSourceMappingCommand,
  ListEventSourceMappingsCommand,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { DeleteMessageCommand, ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeBody } from '../../lambdas/contract/queue-message.ts';
import { spawnPayhooks } from '../cli/payhooks-process.ts';
import { eventBody } from '../doubles/event-body.ts';
import { type RunningPipeline, runPipeline } from '../local/pipeline/running-pipeline.ts';

let pipeline: RunningPipeline;
const payhooks = (argv: readonly string[]) => spawnPayhooks([...argv, '--local', pipeline.baseUrl]);

/** Has the verifier send an event, and moves its message to the dead letters, as SQS does after many attempts. */
async function bury(bytes: Uint8Array): Promise<void> {
  const { clients, resources, post } = pipeline;
  const { EventSourceMappings = [] } = await clients.lambda.send(new ListEventSourceMappingsCommand({}));
  const { UUID } = EventSourceMappings.find(({ EventSourceArn }) => EventSourceArn?.includes(':sqs:')) ?? {};
  const switchTo = async (Enabled: boolean) => {
    await clients.lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled }));
    const state = async () => (await clients.lambda.send(new GetEventSourceMappingCommand({ UUID }))).State;
    await expect.poll(state).toBe(Enabled ? 'Enabled' : 'Disabled');
  };
  await switchTo(false);
  await post(bytes);
  const [QueueUrl, all] = [resources.eventQueueUrl, { MessageAttributeNames: ['All'] }];
  const { Messages = [] } = await clients.sqs.send(
    new ReceiveMessageCommand({ QueueUrl, ...all, MaxNumberOfMessages: 10, WaitTimeSeconds: 5 }),
  );
  const { Body, MessageAttributes, ReceiptHandle } =
    Messages.find((message) => message.Body === encodeBody(bytes)) ?? {};
  await clients.sqs.send(
    new SendMessageCommand({ QueueUrl: resources.deadLetterQueueUrl, MessageBody: Body, MessageAttributes }),
  );
  await clients.sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  await switchTo(true);
}

beforeAll(async () => {
  pipeline = await runPipeline();
});
afterAll(() => pipeline.stop());

describe('payhooks --local', () => {
  it('registers the webhook that an audit misses, and shows its deliveries', async () => {
    const missing = await payhooks(['webhooks', 'audit', '--json']);
    const [{ kind, command }] = JSON.parse(missing.stdout);
    expect([missing.code, kind]).toEqual([1, 'not_registered']);
    // The suggested command, as a shell would run it.
    const registered = await spawnPayhooks(command.split(' ').slice(2));
    expect([registered.code, (await payhooks(['webhooks', 'audit'])).code]).toEqual([0, 0]);
    const [{ id, url }] = JSON.parse((await payhooks(['webhooks', 'list', '--json'])).stdout);
    expect(url).toBe(`${pipeline.baseUrl}/webhooks/payments`);
    await pipeline.simulator.emit({ id: 'e-1', event_name: 'transaction.paid', sandbox: false, payload: {} });
    const history = JSON.parse((await payhooks(['webhooks', 'history', id, '--json'])).stdout);
    expect(history).toMatchObject([{ event_id: 'e-1', response_status: 202, is_retry_pending: false }]);
  });

  it('finds every delivered event stored', async () => {
    const { code, stdout } = await payhooks(['reconcile', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ stored: 1, missing: [], given_up: [], unreadable: 0 });
    expect(code).toBe(0);
  });

  it('redrives a dead letter, whose seal still holds, so that the consumer records it', async () => {
    await bury(eventBody({ id: 'e-dead', order: 'order-dead' }));
    const listed = JSON.parse((await payhooks(['dlq', 'list', '--json'])).stdout);
    expect(listed.groups[0].messages).toMatchObject([{ event_id: 'e-dead', order_id: 'order-dead' }]);
    const redriven = await payhooks(['dlq', 'redrive', '--yes']);
    expect([redriven.code, redriven.stdout]).toEqual([0, expect.stringContaining('Moved 1 message.')]);
    const order = async () => (await payhooks(['order', 'order-dead'])).stdout;
    await expect.poll(order).toContain('order-dead is paid');
  });

  it('sends a payment twice and a refund of it, and follows the order', async () => {
    const order = ['--order', 'order-cli', '--transaction', 'transaction-cli', '--follow'];
    const paid = await payhooks(['send', ...order, '--repeat', '2']);
    expect(paid.stdout).toContain('\norder-cli is paid after 1 event\n');
    const refund = await payhooks(['send', '--event', 'transaction.refunded', ...order, '--json']);
    expect(JSON.parse(refund.stdout)).toMatchObject({
      responses: [{ status: 202, body: '{"status":"accepted"}' }],
      order: { status: 'refunded', attention: [] },
    });
    const sandbox = await payhooks(['send', '--sandbox', ...order]);
    expect(sandbox.stdout).toContain('\norder-cli is paid after 1 event\n');
    expect([paid.code, refund.code, sandbox.code]).toEqual([0, 0, 0]);
  });
});
