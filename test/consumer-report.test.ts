import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createConsumer } from '../lambdas/consumer/consumer.ts';
import { failing, setUpConsumer } from './doubles/consumer.ts';
import { eventBody } from './doubles/event-body.ts';
import { meaningOf } from './doubles/fold.ts';
import { memoryStores } from './doubles/memory-stores.ts';
import { sqsEvent, sqsRecord } from './doubles/sqs-event.ts';
import { recordTelemetry } from './doubles/telemetry.ts';

const payment = { body: eventBody({ id: 'p', order: 'A' }) };
const nameless = { body: eventBody({ id: 'r', action: 'refunded' }) };
const sha256 = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex');

/** The lines of events, with what every line has in common left out. */
async function linesFor(...batches: (readonly Parameters<typeof sqsEvent>[0][])[]) {
  const { consume, telemetry } = setUpConsumer();
  for (const batch of batches) await consume(...batch);
  return telemetry.lines.map(({ level, fields }) => {
    const { event_id, outcome, reason, order_id, order_status } = fields;
    return { level, event_id, outcome, reason, order_id, order_status };
  });
}

describe('the log line of an event', () => {
  it('says which webhook, event, body and order it was, and how long it took since its receipt', async () => {
    const { consume, telemetry } = setUpConsumer();
    await consume(payment);
    expect(telemetry.lines).toMatchObject([
      {
        level: 'info',
        fields: {
          request_id: expect.stringMatching(/./),
          mode: 'live',
          event_id: 'p',
          event_name: 'transaction.paid',
          order_id: 'A',
          outcome: 'applied',
          order_status: 'paid',
          body_sha256: sha256(payment.body),
          latency_ms: 1_000,
        },
      },
    ]);
  });

  it('is a warning when the event begins to wait, and not when it is delivered again', async () => {
    const lines = await linesFor([nameless], [nameless]);
    const common = { event_id: 'r', order_id: null };
    expect(lines).toMatchObject([
      { ...common, level: 'warn', outcome: 'unassigned' },
      { ...common, level: 'info', outcome: 'duplicate' },
    ]);
  });

  it.each([
    ['unrecognised', { body: Buffer.from('no JSON') }, 'not_json'],
    ['quarantined', { ...payment, mode: 'sandbox' as const }, 'sandbox_flag_disagrees'],
  ])('is a warning with the reason for an event that is %s', async (outcome, sent, reason) => {
    expect(await linesFor([sent], [sent])).toMatchObject([
      { level: 'warn', outcome, reason },
      { level: 'info', outcome: 'duplicate' },
    ]);
  });

  it('names no order when the order id is not one', async () => {
    const sent = { body: eventBody({ id: 'p', order: 'A'.repeat(1_025) }) };
    expect(await linesFor([sent])).toMatchObject([{ reason: 'order_id_invalid', order_id: null }]);
  });

  it('has no status of an order with facts of a newer version, and the event is applied', async () => {
    const { consume, orders, telemetry } = setUpConsumer();
    await consume(payment);
    orders.get('live:order:A')?.facts.add('["event.9","x"]');
    expect(await consume(nameless)).toEqual([]);
    expect(telemetry.lines[1]?.fields).toMatchObject({ outcome: 'applied', order_status: undefined });
  });

  it('is a warning for another event under the same id', async () => {
    const other = { body: eventBody({ id: 'p', order: 'A', amount: '7.00' }) };
    expect(await linesFor([payment], [other], [other])).toMatchObject([
      { level: 'info', outcome: 'applied' },
      { level: 'warn', outcome: 'conflict', order_id: 'A', order_status: 'paid' },
      { level: 'info', outcome: 'duplicate' },
    ]);
  });

  it('names the order that an event without one was assigned to', async () => {
    expect(await linesFor([payment], [nameless])).toMatchObject([
      { outcome: 'applied', order_id: 'A', order_status: 'paid' },
      { level: 'info', outcome: 'applied', event_id: 'r', order_id: 'A', order_status: 'refunded' },
    ]);
  });

  it('of a heartbeat is always written', async () => {
    const body = Buffer.from(JSON.stringify({ ...JSON.parse(String(payment.body)), sandbox: true }));
    const sent = { body, mode: 'heartbeat' as const };
    expect(await linesFor([sent], [sent])).toMatchObject([
      { level: 'notice', outcome: 'applied' },
      { level: 'notice', outcome: 'duplicate' },
    ]);
  });
});

describe('a record that goes back to the queue', () => {
  /** A consumer whose tables respond to every write of an event with this. */
  async function retried(thrown: unknown) {
    const { writer } = memoryStores();
    const telemetry = recordTelemetry();
    const put = async () => {
      throw thrown;
    };
    const consume = createConsumer({
      ...{ events: { ...writer, put }, transactions: writer, orders: writer, keyUses: writer },
      ...{
        eventRetentionDays: undefined,
        now: () => new Date(),
        meaningOf,
        postpone: async () => {},
        telemetry,
      },
    });
    const { batchItemFailures } = await consume(sqsEvent({ ...payment, messageId: 'm-1' }));
    return { batchItemFailures, telemetry };
  }

  it.each([
    ['an error', new RangeError('throttled'), { error_name: 'RangeError', error_message: 'throttled' }],
    ['a thrown text', 'throttled', { error_name: undefined, error_message: undefined }],
  ])('is counted and logged with its reason after %s', async (_, thrown, logged) => {
    const { batchItemFailures, telemetry } = await retried(thrown);
    expect(batchItemFailures).toEqual([{ itemIdentifier: 'm-1' }]);
    expect(telemetry.metrics).toEqual(['RecordsRetried']);
    expect(telemetry.lines[0]).toEqual({
      level: 'error',
      message: 'record will be retried',
      fields: { message_id: 'm-1', reason: 'event_not_recorded', ...logged },
    });
  });

  it.each([
    ['put', 'event_not_recorded'],
    ['join', 'transaction_not_joined'],
    ['merge', 'order_not_merged'],
    ['settle', 'event_not_settled'],
  ] as const)('after a failed %s is logged with the reason %s', async (operation, reason) => {
    const { consume, telemetry } = setUpConsumer(failing(operation));
    const refund = { ...nameless, messageId: 'refund' };
    expect(await consume(payment, refund)).toContain('refund');
    const line = telemetry.lines.find(({ fields }) => fields['message_id'] === 'refund');
    expect(line).toMatchObject({ level: 'error', fields: { reason, error_message: 'throttled' } });
  });

  it('is logged as malformed when the verifier did not write it', async () => {
    const { consumeBatch, telemetry } = setUpConsumer();
    await consumeBatch({ Records: [{ ...sqsRecord(payment), messageId: 'm', body: '{}' }] });
    expect(telemetry.lines[0]?.fields).toEqual({ message_id: 'm', reason: 'message_malformed' });
  });
});
