import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spawnPayhooks } from '../cli/payhooks-process.ts';
import { eventBody } from '../doubles/event-body.ts';
import { sha256 } from '../doubles/event-rows.ts';
import { sqsRecord } from '../doubles/sqs-event.ts';
import { type RunningPipeline, runPipeline } from '../local/pipeline/running-pipeline.ts';

let pipeline: RunningPipeline;
const payhooks = (argv: readonly string[]) => spawnPayhooks([...argv, '--local', pipeline.baseUrl]);

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

  it('redrives a dead letter, which then waits if the verifier did not seal it', async () => {
    const bytes = eventBody({ id: 'e-dead', order: 'order-dead' });
    const { body, messageAttributes } = sqsRecord({ body: bytes });
    const attributes = Object.entries(messageAttributes).map(([name, { stringValue = '' }]) => {
      const StringValue = name === 'received_at' ? new Date().toISOString() : stringValue;
      return [name, { DataType: 'String', StringValue }];
    });
    const MessageAttributes = Object.fromEntries(attributes);
    const { deadLetterQueueUrl: QueueUrl } = pipeline.resources;
    await pipeline.clients.sqs.send(
      new SendMessageCommand({ QueueUrl, MessageBody: body, MessageAttributes }),
    );
    const listed = JSON.parse((await payhooks(['dlq', 'list', '--json'])).stdout);
    expect(listed.groups[0].messages).toMatchObject([{ event_id: 'e-dead', order_id: 'order-dead' }]);
    const redriven = await payhooks(['dlq', 'redrive', '--yes']);
    expect([redriven.code, redriven.stdout]).toEqual([0, expect.stringContaining('Moved 1 message.')]);
    // Its seal is one of another stack.
    const waiting = async () => (await payhooks(['events', 'list', '--kind', 'unsealed'])).stdout;
    await expect.poll(waiting).toContain(sha256(bytes));
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
