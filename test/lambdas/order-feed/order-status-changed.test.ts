import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import * as limits from '../../../lambdas/contract/limits.ts';
import { attentions } from '../../../lambdas/domain/attention.ts';
import { orderStatuses } from '../../../lambdas/domain/fold-order.ts';
import { orderChange } from '../../../lambdas/order-feed/order-change.ts';
import {
  entryBytes,
  feedDetailType,
  feedEntry,
  feedSources,
  type OrderStatusChanged,
} from '../../../lambdas/order-feed/order-status-changed.ts';
import { paid } from '../../doubles/facts.ts';

const documentText = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../docs', name), 'utf8');
const schemaText = documentText('order-status-changed.schema.json');
const schema: Readonly<Record<string, unknown>> = JSON.parse(schemaText);

/** The schema without room for additional fields: it fails when the document leaves out a field. */
const closedSchema: Readonly<Record<string, unknown>> = JSON.parse(schemaText, (_, part: unknown) =>
  typeof part === 'object' && part !== null && 'properties' in part && 'required' in part
    ? { ...part, additionalProperties: false }
    : part,
);

function validator(given: Readonly<Record<string, unknown>>) {
  const formats = { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/ };
  const validate = new Ajv2020({ formats }).compile(given);
  return (value: unknown): unknown => (validate(value) ? 'valid' : validate.errors);
}
const validated = validator(schema);
const validatedClosed = validator(closedSchema);

const changed = (before: string[] | undefined, after: string[], orderId = 'order-1'): OrderStatusChanged => {
  const updatedAt = new Date(0).toISOString();
  const order = { mode: 'sandbox', id: orderId } as const;
  const change = orderChange({ order, before, after, sequence: 7, isPublishedAgain: false, updatedAt });
  if (change === undefined) throw new Error('the write changed nothing');
  return change;
};
const detailOf = (change: OrderStatusChanged): OrderStatusChanged => JSON.parse(feedEntry(change).detail);

describe('docs/order-status-changed.schema.json', () => {
  const payment = paid('a');
  it.each([
    ['a new order', changed(undefined, [payment])],
    ['a double payment', changed([payment], [payment, paid('e', { transactionId: 'U', amount: 'many' })])],
    ['an order without its transactions', { ...changed(undefined, [payment]), transactions: null }],
  ])('describes every field of the event of %s', (_, change) => {
    const detail = detailOf(change);
    expect([validated(detail), validatedClosed(detail)]).toEqual(['valid', 'valid']);
  });

  it('lists every status and every attention', () => {
    const { condition } = schema['$defs'] as {
      condition: { properties: { status: { enum: unknown }; attention: { items: { examples: unknown } } } };
    };
    expect(condition.properties.status.enum).toEqual(orderStatuses);
    expect(condition.properties.attention.items.examples).toEqual(attentions);
  });
});

describe('docs/order-feed.md', () => {
  const document = documentText('order-feed.md');

  it('shows an event that matches the schema', () => {
    const shown = JSON.parse(document.match(/^```json\n([\s\S]+?)^```/m)?.[1] ?? '');
    expect(validatedClosed(shown.detail)).toBe('valid');
    expect(shown).toMatchObject({ source: feedSources.live, 'detail-type': feedDetailType });
    expect(shown.time).toBe(shown.detail.updated_at.replace(/\.\d+/, ''));
  });

  it('explains every field', () => {
    const fields = Object.keys(schema['properties'] as object);
    expect(fields).toHaveLength(9);
    expect(fields.filter((field) => !document.includes(`\`detail.${field}\``))).toEqual([]);
  });

  it('shows a rule that matches a paid order, as JSON and as CDK code', () => {
    const { source, detailType } = feedEntry({ ...changed(undefined, [paid('a')]), mode: 'live' });
    expect(JSON.parse(document.match(/'(\{"source".+\})'/)?.[1] ?? '')).toEqual({
      source: [source],
      'detail-type': [detailType],
      detail: { current: { status: ['paid'] } },
    });
    expect(document).toContain(`source: ['${source}'],\n    detailType: ['${detailType}'],`);
  });
});

describe('feedEntry', () => {
  it('makes an entry whose size entryBytes counts like EventBridge', () => {
    const change = changed(undefined, [paid('a')], 'Größe');
    const text = 'payhooks.sandboxOrderStatusChanged';
    expect(entryBytes(feedEntry(change))).toBe(14 + text.length + JSON.stringify(change).length + 2);
  });

  it('keeps the transactions of an entry of 250 KiB, and not of one byte more', () => {
    const change = changed(undefined, [paid('a')], '');
    const room = 250 * 1024 - entryBytes(feedEntry(change));
    expect(detailOf({ ...change, order_id: 'x'.repeat(room) }).transactions).toHaveLength(1);
    expect(detailOf({ ...change, order_id: 'x'.repeat(room + 1) }).transactions).toBeNull();
  });

  it('fits without transactions even when a repair moves the longest ids and event names', () => {
    // The events of two full transactions. The fields of a fact are bounded as JSON, the id of an order is not.
    const facts = Array.from({ length: 2 * limits.transactionEntriesMax }, (_, n) => {
      const eventId = `${n}`.padEnd(limits.eventIdBytesMax, 'x');
      const eventName = 'x'.repeat(limits.eventNameBytesMax);
      return JSON.stringify(['paid', eventId, eventName, null, null, null, null]);
    });
    const change = changed(undefined, facts, '\u0001'.repeat(limits.orderIdBytesMax));
    expect(change.caused_by).toHaveLength(2 * limits.transactionEntriesMax);
    expect(entryBytes(feedEntry({ ...change, transactions: null }))).toBeLessThan(128 * 1024);
  });
});
