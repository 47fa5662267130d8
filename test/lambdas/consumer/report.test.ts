import { describe, expect, it } from 'vitest';
import { delivered, setUpConsumer } from '../../doubles/consumer.ts';
import { payment, refund, sent } from '../../doubles/event-body.ts';
import { sha256 } from '../../doubles/event-rows.ts';
import type { SentBody } from '../../doubles/sqs-event.ts';

const tooLong = sent({ id: 'p', order: 'A'.repeat(1_025) });
const other = sent({ id: 'p', order: 'A', amount: '7.00' });
const heartbeat = { ...sent({ id: 'p', order: 'A', sandbox: true }), mode: 'heartbeat' as const };
const duplicate = { level: 'info', outcome: 'duplicate' };
const flagDisagrees = { outcome: 'quarantined', reason: 'sandbox_flag_disagrees' };
const orderInvalid = { outcome: 'quarantined', reason: 'order_id_invalid', order_id: null };
const unrecognised = { outcome: 'unrecognised', reason: 'not_json' };
const paid = { level: 'info', outcome: 'applied', order_id: 'A' };
const refunded = { ...paid, event_id: 'r' };

describe('the log line of an event', () => {
  it('says which webhook, event, body and order it was, and how long it took since its receipt', async () => {
    const { telemetry } = await delivered([payment]);
    expect(telemetry.lines).toEqual([
      {
        ...{ level: 'info', message: 'event handled' },
        fields: {
          ...{ request_id: 'request-1', mode: 'live', event_id: 'p', event_name: 'transaction.paid' },
          ...{ order_id: 'A', outcome: 'applied', reason: undefined },
          ...{ body_sha256: sha256(payment.body), latency_ms: 1_000 },
        },
      },
    ]);
  });

  it.each<[string, SentBody[], object[]]>([
    ['is a warning when it begins to wait', [refund], [{ level: 'warn', event_id: 'r', order_id: null }]],
    [
      'is no warning when it does not wait',
      [sent({ id: 'n', action: 'note' })],
      [{ level: 'info', outcome: 'recorded' }],
    ],
    ['is no warning when it is delivered again', [refund, refund], [{ outcome: 'unassigned' }, duplicate]],
    ['has the reason of a body that is no event', [{ body: Buffer.from('no JSON') }], [unrecognised]],
    [
      'has the reason of a quarantine',
      [{ ...payment, mode: 'sandbox' }],
      [{ level: 'warn', ...flagDisagrees }],
    ],
    ['names no order when the order id is not one', [tooLong, tooLong], [orderInvalid, duplicate]],
    ['is a warning for another body', [payment, other], [paid, { level: 'warn', outcome: 'conflict' }]],
    ['names the order of its transaction', [payment, refund], [paid, refunded]],
    ['of a heartbeat is always written', [heartbeat], [{ level: 'notice', outcome: 'applied' }]],
  ])('%s', async (_, messages, expected) => {
    const { telemetry } = await delivered(messages);
    expect(telemetry.lines.map(({ level, fields }) => ({ level, ...fields }))).toMatchObject(expected);
  });
});

it('an event that begins to wait is counted once, whatever is wrong with it, and no other event is', async () => {
  const notJson = { body: Buffer.from('no JSON') };
  const { telemetry } = await delivered([
    payment,
    heartbeat,
    tooLong,
    tooLong,
    notJson,
    other,
    { ...refund },
  ]);
  expect(telemetry.metrics).toEqual(Array(3).fill('EventsBeganToWait'));
});

describe('a record that goes back to the queue', () => {
  it.each([
    ['an error', new RangeError('throttled'), { error_name: 'RangeError', error_message: 'throttled' }],
    ['a thrown text', 'throttled', {}],
  ])('is counted and logged with its reason after %s', async (_, thrown, logged) => {
    const { consume, telemetry } = setUpConsumer({ failing: 'put', thrown });
    expect(await consume(payment)).toEqual(['p']);
    expect(telemetry.metrics).toEqual(['RecordsRetried']);
    const fields = { message_id: 'p', reason: 'event_not_recorded', ...logged };
    expect(telemetry.lines).toEqual([{ level: 'error', message: 'record will be retried', fields }]);
  });

  it.each([
    ['join', 'event_not_recorded'],
    ['merge', 'event_not_applied'],
    ['settle', 'event_not_applied'],
  ])('after a failed %s is logged with the reason %s', async (failing, reason) => {
    const { consume, telemetry } = setUpConsumer({ failing });
    expect(await consume(payment, refund)).toContain('r');
    const line = telemetry.lines.find(({ fields }) => fields['message_id'] === 'r');
    expect(line).toMatchObject({ level: 'error', fields: { reason, error_message: 'throttled' } });
  });
});
