import { describe, expect, it } from 'vitest';
import { failing, setUpConsumer } from '../../doubles/consumer.ts';
import { eventBody } from '../../doubles/event-body.ts';
import { sha256 } from '../../doubles/event-rows.ts';
import { sqsRecord } from '../../doubles/sqs-event.ts';

const payment = { body: eventBody({ id: 'p', order: 'A' }), messageId: 'm-1' };
const nameless = { body: eventBody({ id: 'r', action: 'refunded' }) };

/** The lines of events, with what every line has in common left out. */
async function linesFor(...batches: (readonly Parameters<typeof sqsRecord>[0][])[]) {
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
    expect(telemetry.lines).toEqual([
      {
        ...{ level: 'info', message: 'event handled' },
        fields: {
          ...{ request_id: 'request-1', mode: 'live', event_id: 'p', event_name: 'transaction.paid' },
          ...{ order_id: 'A', outcome: 'applied', reason: undefined, order_status: 'paid' },
          ...{ body_sha256: sha256(payment.body), latency_ms: 1_000 },
        },
      },
    ]);
  });

  it('is a warning when the event begins to wait, and not when it is delivered again', async () => {
    const common = { event_id: 'r', order_id: null };
    expect(await linesFor([nameless], [nameless])).toMatchObject([
      { ...common, level: 'warn', outcome: 'unassigned' },
      { ...common, level: 'info', outcome: 'duplicate' },
    ]);
  });

  it.each([
    ['unrecognised', { body: Buffer.from('no JSON') }, 'not_json'],
    ['quarantined', { ...payment, mode: 'sandbox' as const }, 'sandbox_flag_disagrees'],
  ])('is a warning with the reason for a body that is %s', async (outcome, sent, reason) => {
    expect(await linesFor([sent], [sent])).toMatchObject([
      { level: 'warn', outcome, reason },
      { level: 'info', outcome: 'duplicate' },
    ]);
  });

  it('names no order when the order id is not one', async () => {
    const sent = { body: eventBody({ id: 'p', order: 'A'.repeat(1_025) }) };
    expect(await linesFor([sent])).toMatchObject([{ reason: 'order_id_invalid', order_id: null }]);
  });

  it('is a warning for another event under the same id', async () => {
    const other = { body: eventBody({ id: 'p', order: 'A', amount: '7.00' }) };
    expect(await linesFor([payment], [other], [other])).toMatchObject([
      { level: 'info', outcome: 'applied' },
      { level: 'warn', outcome: 'conflict', order_id: 'A' },
      { level: 'info', outcome: 'duplicate' },
    ]);
  });

  it('names the order of the transaction that an event without one belongs to', async () => {
    expect(await linesFor([payment], [nameless])).toMatchObject([
      { outcome: 'applied', order_id: 'A', order_status: 'paid' },
      { level: 'info', outcome: 'applied', event_id: 'r', order_id: 'A', order_status: 'refunded' },
    ]);
  });

  it('of a heartbeat is always written', async () => {
    const sent = { body: eventBody({ id: 'p', order: 'A', sandbox: true }), mode: 'heartbeat' as const };
    expect(await linesFor([sent], [sent])).toMatchObject([
      { level: 'notice', outcome: 'applied' },
      { level: 'notice', outcome: 'duplicate' },
    ]);
  });
});

describe('a record that goes back to the queue', () => {
  it.each([
    ['an error', new RangeError('throttled'), { error_name: 'RangeError', error_message: 'throttled' }],
    ['a thrown text', 'throttled', { error_name: undefined, error_message: undefined }],
  ])('is counted and logged with its reason after %s', async (_, thrown, logged) => {
    const { consume, telemetry } = setUpConsumer(failing('put', thrown).hooks);
    expect(await consume(payment)).toEqual(['m-1']);
    expect(telemetry.metrics).toEqual(['RecordsRetried']);
    expect(telemetry.lines).toEqual([
      {
        level: 'error',
        message: 'record will be retried',
        fields: { message_id: 'm-1', reason: 'event_not_recorded', ...logged },
      },
    ]);
  });

  it.each([
    ['put', 'event_not_recorded'],
    ['join', 'event_not_recorded'],
    ['merge', 'event_not_applied'],
    ['settle', 'event_not_applied'],
  ])('after a failed %s is logged with the reason %s', async (name, reason) => {
    const { consume, telemetry } = setUpConsumer(failing(name).hooks);
    expect(await consume(payment, { ...nameless, messageId: 'refund' })).toContain('refund');
    const line = telemetry.lines.find(({ fields }) => fields['message_id'] === 'refund');
    expect(line).toMatchObject({ level: 'error', fields: { reason, error_message: 'throttled' } });
  });

  it('is logged as malformed when the verifier did not write it', async () => {
    const { consumeBatch, telemetry } = setUpConsumer();
    await consumeBatch({ Records: [{ ...sqsRecord(payment), messageId: 'm', body: '{}' }] });
    const fields = { message_id: 'm', reason: 'message_malformed' };
    expect(telemetry.lines).toMatchObject([{ level: 'error', fields }]);
  });
});
