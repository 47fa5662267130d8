import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import {
  consumerBatchRecordsMax,
  eventIdBytesMax,
  eventNameBytesMax,
  orderIdBytesMax,
} from '../lambdas/contract/limits.ts';
import { conflictFact } from '../lambdas/domain/fact.ts';
import { attentions, orderStatuses } from '../lambdas/domain/fold-order.ts';
import { orderChange } from '../lambdas/order-feed/order-change.ts';
import {
  entryBytes,
  feedDetailType,
  feedEntry,
  feedSources,
  type OrderStatusChanged,
} from '../lambdas/order-feed/order-status-changed.ts';

const documentText = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../docs', name), 'utf8');
const schemaText = documentText('order-status-changed.schema.json');
const schema: Readonly<Record<string, unknown>> = JSON.parse(schemaText);

const formats = { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/ };
const isValid = new Ajv2020({ formats }).compile(schema);

/** The schema with no fields allowed but its own: finds a field that the document leaves out. */
const closed: Readonly<Record<string, unknown>> = JSON.parse(schemaText, (_, part: unknown) =>
  typeof part === 'object' && part !== null && 'properties' in part && 'required' in part
    ? { ...part, additionalProperties: false }
    : part,
);
const isDocumented = new Ajv2020({ formats }).compile(closed);

const fact = (eventId: string, action: string, tx: string | null, amount: string | null): string =>
  JSON.stringify(['event.1', eventId, `transaction.${action}`, tx, amount, 'USD', null]);
const changed = (before: string[] | undefined, after: string[], orderId = 'order-1'): OrderStatusChanged => {
  const updatedAt = new Date(0).toISOString();
  const change = orderChange({ order: { mode: 'sandbox', id: orderId }, before, after, updatedAt });
  if (change === undefined) throw new Error('the write changed nothing');
  return change;
};
const detailOf = (change: OrderStatusChanged): OrderStatusChanged => JSON.parse(feedEntry(change).detail);

describe('docs/order-status-changed.schema.json', () => {
  const paid = fact('a', 'paid', 'T', '100.00');
  it.each([
    ['of a new order', changed(undefined, [paid])],
    ['of a refund', changed([paid], [paid, fact('b', 'refunded', 'T', '100.00')])],
    ['of a failure without anything', changed(undefined, [fact('c', 'failed', null, null)])],
    ['of history', changed(undefined, [fact('d', 'disputed', 'T', null)])],
    ['of a double payment', changed([paid], [paid, fact('e', 'paid', 'U', 'many')])],
    ['of a conflict', changed([paid], [paid, conflictFact('a', 'ab12')])],
    ['of a conflict that made the order', changed(undefined, [conflictFact('a', 'ab12')])],
    ['without its transactions', { ...changed(undefined, [paid]), transactions: null }],
  ])('describes every field of an event %s', (_, change) => {
    const detail = detailOf(change);
    expect({ valid: isValid(detail), errors: isValid.errors }).toEqual({ valid: true, errors: null });
    expect({ valid: isDocumented(detail), errors: isDocumented.errors }).toEqual({
      valid: true,
      errors: null,
    });
  });

  const valid = { ...detailOf(changed(undefined, [paid])) };
  it.each([
    ['an id that is no hash', { id: 'order-1' }],
    ['a sequence of none', { sequence: 0 }],
    ['an unknown mode', { mode: 'test' }],
    ['a state without a status', { current: { attention: [] } }],
    ['an amount as a number', { transactions: [{ ...valid.transactions?.[0], amount: 100 }] }],
    ['no cause', { caused_by: [] }],
    ['a time without a zone', { updated_at: '2026-11-21 10:00:00' }],
    ['a transaction that is left out', { transactions: undefined }],
  ])('refuses %s', (_, part) => {
    expect(isValid(JSON.parse(JSON.stringify({ ...valid, ...part })))).toBe(false);
  });

  it('allows fields to be added, which a closed copy of it detects', () => {
    expect(isDocumented({ ...valid, customer: 'someone' })).toBe(false);
    expect(isValid({ ...valid, customer: 'someone' })).toBe(true);
  });

  it('names every status and every reason for attention', () => {
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
    expect({ valid: isDocumented(shown.detail), errors: isDocumented.errors }).toEqual({
      valid: true,
      errors: null,
    });
    expect(shown).toMatchObject({ source: feedSources.live, 'detail-type': feedDetailType });
    expect(shown.time).toBe(shown.detail.updated_at.replace(/\.\d+/, ''));
  });

  it('explains every field of the event', () => {
    const fields = Object.keys(schema['properties'] as object);
    expect(fields).toHaveLength(9);
    expect(fields.filter((field) => !document.includes(`\`detail.${field}\``))).toEqual([]);
  });

  it('shows a rule that matches a paid order, with CDK and with the command line', () => {
    const paid = { ...changed(undefined, [fact('a', 'paid', 'T', '1')]), mode: 'live' } as const;
    const { source, detailType } = feedEntry(paid);
    expect(JSON.parse(document.match(/'(\{"source".+\})'/)?.[1] ?? '')).toEqual({
      source: [source],
      'detail-type': [detailType],
      detail: { current: { status: [paid.current.status] } },
    });
    expect(document).toContain(`source: ['${source}'],\n    detailType: ['${detailType}'],`);
  });
});

describe('an entry', () => {
  it('is as large as EventBridge counts it', () => {
    const change = changed(undefined, [fact('a', 'paid', 'T', '1')], 'Größe');
    const entry = feedEntry(change);
    const text = 'payhooks.sandboxOrderStatusChanged';
    expect(entryBytes(entry)).toBe(14 + text.length + JSON.stringify(change).length + 2);
  });

  it('leaves out the transactions of an order that has too many, and says so', () => {
    const many = Array.from({ length: 4_000 }, (_, index) =>
      fact(`event-${index}`, 'paid', `tx-${index}`, '1'),
    );
    const before = many.slice(0, -1);
    const change = changed(before, many);
    expect(change.transactions).toHaveLength(4_000);
    const entry = feedEntry(change);
    expect(entryBytes(entry)).toBeLessThan(256 * 1024);
    expect(JSON.parse(entry.detail)).toEqual({ ...change, transactions: null });
    expect(isValid(JSON.parse(entry.detail))).toBe(true);
    expect(entry.change.transactions).toBeNull();
  });

  it('keeps the transactions of an order with hundreds', () => {
    const facts = Array.from({ length: 500 }, (_, index) =>
      fact(`event-${index}`, 'paid', `tx-${index}`, '1'),
    );
    expect(detailOf(changed(undefined, facts)).transactions).toHaveLength(500);
  });

  it('fits without its transactions, whatever ids one batch of the consumer brings', () => {
    // A control character is one byte in an id and six in JSON.
    const longest = (bytes: number, first: number): string =>
      String.fromCharCode(first) + '\u0001'.repeat(bytes - 1);
    const facts = Array.from({ length: consumerBatchRecordsMax }, (_, index) =>
      JSON.stringify([
        'event.1',
        longest(eventIdBytesMax, 65 + index),
        longest(eventNameBytesMax, 65),
        ...Array(4).fill(null),
      ]),
    );
    const change = changed(undefined, facts, longest(orderIdBytesMax, 65));
    expect(change.caused_by).toHaveLength(consumerBatchRecordsMax);
    expect(entryBytes(feedEntry({ ...change, transactions: null }))).toBeLessThan(64 * 1024);
  });
});
