import assert from 'node:assert/strict';

import { consumerOver } from '../../../test/doubles/consumer.ts';
import { createMemoryTables } from '../../../test/doubles/memory-store.ts';
import { sqsEvent } from '../../../test/doubles/sqs-event.ts';
import type { Target } from '../target.ts';
import { startTelemetry } from './telemetry.ts';

const transaction = {
  id: 'T-1',
  order_id: 'order-1',
  amount: '100.00',
  currency: 'USD',
  created_at: '2026-11-21T10:00:00.000000Z',
};
const event = { id: 'evt-1', event_name: 'transaction.paid', sandbox: false, payload: { transaction } };

/** The consumer, with the body of a message that was signed with a live key. */
export function createEventTarget(): Target {
  const telemetry = startTelemetry();
  return {
    name: 'event',
    async run(body) {
      const { events, open } = createMemoryTables();
      const { batchItemFailures } = await consumerOver(open().store, { telemetry })(sqsEvent({ body }));
      assert.deepEqual(batchItemFailures, [], 'the message goes back to the queue');
      const [row, ...others] = events.values();
      assert.deepEqual(others, [], 'there are several rows');
      assert(
        row?.body !== undefined && Buffer.from(row.body).equals(body),
        'the row does not hold the bytes that were received',
      );
      const outcome = row.reason === undefined ? row.outcome : `${row.outcome}: ${row.reason}`;
      const text = textOf(body);
      assert.equal(outcome === 'unrecognised: not_utf8', text === undefined, 'not_utf8');
      assert.equal(outcome === 'unrecognised: not_json', text !== undefined && !isJson(text), 'not_json');
      return outcome;
    },
    outcomes: {
      applied: 'an event that names an order; unknown fields, missing amounts and odd values included',
      unassigned: 'an event about money that names no order',
      recorded: 'another event that names no order',
      'quarantined: sandbox_flag_missing': 'no `sandbox`, or one that is no boolean',
      'quarantined: sandbox_flag_disagrees': '`sandbox` is not the mode of the key',
      'quarantined: order_id_invalid':
        'an order id over 1,024 bytes, not Unicode, or neither text nor number',
      'quarantined: transaction_id_invalid':
        'a transaction id over 256 bytes, not Unicode, or neither text nor number',
      'unrecognised: not_utf8': 'bytes that are not UTF-8',
      'unrecognised: not_json': 'a text that is not JSON, or nested too deeply',
      'unrecognised: not_an_object': 'JSON of another type',
      'unrecognised: id_missing': 'no `id`, an empty one, or one that is no text',
      'unrecognised: id_invalid': 'an `id` over 512 bytes, or not Unicode',
      'unrecognised: event_name_missing': 'no `event_name`, an empty one, or one that is no text',
      'unrecognised: event_name_invalid': 'an `event_name` over 256 bytes, or not Unicode',
    },
    seeds: [
      JSON.stringify(event),
      JSON.stringify({ ...event, sandbox: true }),
      JSON.stringify({ ...event, event_name: 'transaction.refunded', payload: {} }),
      JSON.stringify({ ...event, payload: { transaction: { ...transaction, amount: 100.1, id: 7 } } }),
    ],
    words: [
      ...Object.keys(event),
      ...Object.keys(transaction),
      ...[
        'transaction',
        '[',
        ']',
        '{',
        '}',
        ',',
        ':',
        '"',
        '\\u',
        '\\ud800',
        'x'.repeat(257),
        '{"order_id":',
      ],
    ],
  };
}

/** `undefined` for bytes that are not UTF-8: another text would have other bytes. */
function textOf(body: Uint8Array): string | undefined {
  const text = Buffer.from(body).toString('utf8');
  return Buffer.from(text).equals(body) ? text.replace(/^\ufeff/, '') : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
