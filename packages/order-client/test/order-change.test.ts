import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isDeliverable, parseOrderChange, UnexpectedEventError } from '../src/index.ts';

const docs = join(import.meta.dirname, '..', '..', '..', 'docs');
const textOf = (file: string): string => readFileSync(join(docs, file), 'utf8');
const text = /^```json\n(.*?)^```/ms.exec(textOf('order-feed.md'))?.[1] ?? '';
const { required } = JSON.parse(textOf('order-status-changed.schema.json'));

function faultOf(event: unknown): unknown {
  try {
    return parseOrderChange(event);
  } catch (error) {
    return error;
  }
}

describe('an event of the order feed', () => {
  it.each([
    ['text', text],
    ['object', JSON.parse(text)],
  ])('is read from an event of EventBridge: %s', (_, event) => {
    const { current, ...change } = parseOrderChange(event);
    expect(change).toMatchObject({ order_id: 'order-1001', mode: 'live', sequence: 2 });
    expect(current).toEqual({ status: 'refunded', attention: [] });
  });

  it('may have an attention that the client does not know, new fields and no transactions', () => {
    const { detail, ...event } = JSON.parse(text);
    const current = { status: 'paid', attention: ['new_reason'], since: 'now' };
    const change = { ...detail, previous: null, current, transactions: null };
    expect(parseOrderChange({ ...event, detail: change })).toEqual(change);
  });

  it('is refused when a field of the schema is missing', () => {
    const { detail, ...event } = JSON.parse(text);
    for (const name of required) {
      const fault = faultOf({ ...event, detail: { ...detail, [name]: undefined } });
      expect(fault).toBeInstanceOf(UnexpectedEventError);
      expect(fault).toHaveProperty('message', expect.stringContaining(`missing fields: ${name}. See`));
    }
  });

  it.each([
    ['{', 'The event is not JSON; expected an event of EventBridge.'],
    ['null', 'The detail-type is missing; expected "OrderStatusChanged".'],
    [{ 'detail-type': 'Heartbeat' }, 'The detail-type is "Heartbeat"; expected "OrderStatusChanged".'],
  ])('is not %j', (event, message) => {
    expect(faultOf(event)).toMatchObject({ name: 'UnexpectedEventError', message });
  });
});

it('an order is deliverable when it is paid and nobody has to look first', () => {
  expect(isDeliverable({ status: 'paid', attention: [] })).toBe(true);
  expect(isDeliverable({ status: 'paid', attention: ['disputed'] })).toBe(false);
  expect(isDeliverable({ status: 'partially_refunded', attention: [] })).toBe(false);
});
