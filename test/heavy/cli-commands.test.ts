import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spawnPayhooks, temporaryDirectory } from '../cli/payhooks-process.ts';
import { eventBody } from '../doubles/event-body.ts';
import { sqsRecord } from '../doubles/sqs-event.ts';
import { type RunningPipeline, runPipeline } from '../local/pipeline/running-pipeline.ts';

let pipeline: RunningPipeline;
const payhooks = (argv: readonly string[], stdin = '') =>
  spawnPayhooks([...argv, '--local', pipeline.baseUrl], { stdin });

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

  it('redrives a dead letter, which the consumer then records', async () => {
    const { body, messageAttributes } = sqsRecord({ body: eventBody({ id: 'e-dead', order: 'order-dead' }) });
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
    expect([redriven.code, redriven.stdout]).toEqual([0, expect.stringContaining('Both queues are empty.')]);
    const order = await payhooks(['order', 'order-dead', '--json']);
    expect(JSON.parse(order.stdout)).toMatchObject({ status: 'paid' });
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

  it('shows that an event without a sandbox flag waits, and the order that it alone names', async () => {
    const transaction = { id: 't-flag', order_id: 'order-flag', amount: '1.00', currency: 'USD' };
    const event = { id: 'e-flag', event_name: 'transaction.paid', payload: { transaction } };
    const sent = await payhooks(['send', '--file', '-', '--follow'], JSON.stringify(event));
    const waits = 'waits: transaction.paid e-flag (quarantined, sandbox_flag_missing)';
    expect(sent).toMatchObject({ code: 1, stdout: expect.stringContaining(waits) });
    const shown = await payhooks(['order', 'order-flag']);
    expect([shown.code, shown.stdout.split('\n')[0]]).toEqual([
      1,
      'One live event that names the order "order-flag" waits for a person; none counts yet.',
    ]);
    expect(shown.stdout).toContain(waits);
  });

  it('lists an order that a person must look at, and resolves what was judged', async () => {
    const order = ['--order', 'order-disputed', '--transaction', 't-disputed', '--follow'];
    await payhooks(['send', ...order]);
    await payhooks(['send', '--event', 'transaction.disputed', ...order]);
    const idsOf = async () => {
      const { stdout } = await payhooks(['orders', 'list', '--attention', 'disputed', '--json']);
      return JSON.parse(stdout).orders.map((one: { readonly order_id: string }) => one.order_id);
    };
    expect(await idsOf()).toEqual(['order-disputed']);
    const resolve = ['orders', 'resolve', 'order-disputed', '--attention', 'disputed', '--reason', 'won'];
    expect((await payhooks([...resolve, '--yes'])).code).toBe(0);
    expect(await idsOf()).toEqual([]);
    const { stdout } = await payhooks(['orders', 'show', 'order-disputed', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'paid',
      attention: [],
      acts: [{ act: 'resolve', attention: 'disputed', reason: 'won', order_id: 'order-disputed' }],
    });
  });

  it('diagnoses a refused body with the keys of the stack', async () => {
    const body = '{"id":"e-2","sandbox":false}';
    const file = join(await temporaryDirectory(), 'body.json');
    await writeFile(file, `${body}\n`);
    const diagnose = ['diagnose', '--body', file, '--signature', pipeline.sign(Buffer.from(body)), '--json'];
    const { code, stdout } = await payhooks(diagnose);
    expect([code, JSON.parse(stdout).mistakes[0].name]).toEqual([1, 'trimmed']);
  });

  it('adds a key, and expires the old one, which is accepted until then', async () => {
    const event = Buffer.from('{"id":"e-4","event_name":"a.b","sandbox":false,"payload":{}}');
    expect((await payhooks(['keys', 'add', '--stdin'], 'pri_rotated_key\n')).code).toBe(0);
    const rows = JSON.parse((await payhooks(['keys', 'list', '--json'])).stdout);
    const live = rows.filter(({ mode }: { readonly mode: string }) => mode === 'live');
    expect(live.map(({ state }: { readonly state: string }) => state)).toEqual(['current', 'overlap']);
    expect((await pipeline.post(event)).status).toBe(202);
    const ended = await payhooks(['keys', 'expire', live[1].id, '--force', '--yes', '--json']);
    expect([ended.code, JSON.parse(ended.stdout)[1].state]).toEqual([0, 'expired']);
  });
});

describe('payhooks --local with OAuth', () => {
  it('waits for the first token, and renews it', async () => {
    const oauth = await runPipeline({
      service: { port: 0, otherwiseAnyPort: false, authentication: 'oauth' },
    });
    try {
      const run = (...argv: string[]) => spawnPayhooks([...argv, '--local', oauth.baseUrl]);
      const account = await run('account', '--json');
      expect([account.code, JSON.parse(account.stdout)]).toMatchObject([0, { name: 'local' }]);
      const renewed = await run('token', 'refresh', '--yes', '--json');
      expect([renewed.code, JSON.parse(renewed.stdout)]).toMatchObject([0, { renewed: true }]);
      expect((await run('webhooks', 'list')).code).toBe(0);
    } finally {
      await oauth.stop();
    }
  });
});
