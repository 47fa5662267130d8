import { describe, expect, it } from 'vitest';
import { factOfBody, leftFact } from '../lambdas/domain/fact.ts';
import { PermanentStoreError } from '../lambdas/ports/stores.ts';
import { memoryActStores } from './doubles/act-stores.ts';
import { consumerOver } from './doubles/consumer.ts';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { deliver, moneyOf } from './doubles/misread.ts';
import { sharedTables } from './doubles/operators-at-once.ts';
import { sqsEvent } from './doubles/sqs-event.ts';
import { recordTelemetry } from './doubles/telemetry.ts';

type Tables = ReturnType<typeof sharedTables>;

const refund = { id: 'r', action: 'refunded' };
const later = { id: 's', action: 'refunded', amount: '1.00' };
const second = { id: 'q', order: 'A' };
const another = { id: 'x', order: 'X', transaction: 'X' };
const unpaid = { id: 'z', action: 'refunded', transaction: 'Z' };
const factOf = (event: EventFields): string => factOfBody(eventBody(event)) ?? '';
const now = () => new Date('2026-11-22T09:00:00.000Z');
const orderA = { mode: 'live', id: 'A' } as const;

interface Meeting {
  /** Throws the error of a merge of the order A, the n-th. */
  readonly fault?: (n: number, facts: readonly string[]) => void;
  /** What happens once the replay has taken the order out of the transaction. */
  readonly meanwhile?: (tables: Tables) => Promise<void>;
}

/** A replay has marked the order A, and takes it out of the transaction T after its first merge. */
async function meet({ fault = () => {}, meanwhile = async () => {} }: Meeting) {
  const tables = sharedTables();
  await deliver(tables, refund);
  const mark = () => tables.writer.merge({ order: orderA, facts: [leftFact('T')], now });
  await mark();
  const calls = { merges: [] as string[], joins: [] as string[] };
  const telemetry = recordTelemetry();
  let isOver = false;
  const merge: typeof tables.writer.merge = async (request) => {
    calls.merges.push(request.order.id);
    if (request.order.id !== 'A') return tables.writer.merge(request);
    fault(calls.merges.filter((id) => id === 'A').length, request.facts);
    const response = await tables.writer.merge(request);
    if (isOver) return response;
    isOver = true;
    await memoryActStores(tables).transactions.leave({ mode: 'live', transactionId: 'T', orderId: 'A' });
    await meanwhile(tables);
    return response;
  };
  const join: typeof tables.writer.join = (request) => {
    calls.joins.push(request.transactionId);
    return tables.writer.join(request);
  };
  return {
    tables,
    calls,
    telemetry,
    /** The events that go back to the queue. */
    async consume(...events: EventFields[]): Promise<string[]> {
      const consumer = consumerOver({ writer: { ...tables.writer, merge, join } }, { now, telemetry });
      const sent = events.map((event) => ({ body: eventBody(event), messageId: event.id }));
      return (await consumer(sqsEvent(...sent))).batchItemFailures.map(
        ({ itemIdentifier }) => itemIdentifier,
      );
    },
    outcomes: () => telemetry.lines.map(({ fields }) => fields['outcome']),
  };
}

/** The same events, without a replay. */
async function reference(...events: EventFields[]): Promise<Tables> {
  const tables = sharedTables();
  await deliver(tables, ...events);
  return tables;
}

/** The refund s arrives, and another consumer has merged it already. */
async function mergeElsewhere(tables: Tables): Promise<void> {
  await deliver(tables, later);
  await tables.writer.merge({ order: orderA, facts: [factOf(later)], now });
}

describe('a payment whose order a replay takes out of its transaction', () => {
  it('joins again, and the other events of its batch are joined and merged once', async () => {
    const { tables, calls, consume } = await meet({ meanwhile: (all) => deliver(all, later) });
    expect(await consume(second, another, unpaid)).toEqual([]);
    expect(calls.merges.sort()).toEqual(['A', 'A', 'X']);
    expect(calls.joins.sort()).toEqual(['T', 'T', 'X', 'Z']);
    expect(tables.waiting()).toEqual(['live:event:z event']);
    expect(moneyOf(tables)).toEqual(moneyOf(await reference(refund, later, second, another)));
  });

  it('is merged once when the order lacks nothing', async () => {
    const { calls, consume } = await meet({});
    expect(await consume(second)).toEqual([]);
    expect([calls.merges, calls.joins]).toEqual([['A'], ['T', 'T']]);
  });

  it('reaches an order that has joined the transaction meanwhile', async () => {
    const other = { id: 'z', order: 'B' };
    const { tables, consume } = await meet({ meanwhile: (all) => deliver(all, other) });
    expect(await consume(second)).toEqual([]);
    expect(tables.orderViews()).toEqual((await reference(refund, other, second)).orderViews());
  });

  it('returns to the queue when its second join fails, and the rest of its batch is done', async () => {
    const { tables, telemetry, consume } = await meet({});
    const { join } = tables.writer;
    let joins = 0;
    tables.writer.join = (one) => {
      joins += 1;
      return joins === 3 ? Promise.reject(new Error('throttled')) : join(one);
    };
    expect(await consume(second, another)).toEqual(['q']);
    expect(JSON.stringify(telemetry.lines)).toContain('throttled');
    expect(await consume(second, another)).toEqual([]);
    expect(Object.keys(moneyOf(tables))).toEqual(['A', 'X']);
    expect(tables.waiting()).toEqual([]);
  });

  it('returns to the queue when its second merge fails', async () => {
    const { tables, consume } = await meet({
      fault: (n) => {
        if (n === 2) throw new Error('throttled');
      },
      meanwhile: (all) => deliver(all, later),
    });
    expect(await consume(second)).toEqual(['q']);
    expect(await consume(second)).toEqual([]);
    expect(moneyOf(tables)).toEqual(moneyOf(await reference(refund, later, second)));
    expect(tables.waiting()).toEqual([]);
  });

  it('does not join again when the order refuses it', async () => {
    const { calls, consume } = await meet({
      fault: (_, facts) => {
        if (facts.includes(factOf(second))) throw new PermanentStoreError('The row is full.');
      },
    });
    expect(await consume(second)).toEqual([]);
    expect(calls.joins).toEqual(['T']);
  });

  it('leaves a refund waiting that its first merge refused', async () => {
    const { tables, consume } = await meet({
      fault: (_, facts) => {
        if (facts.includes(factOf(refund))) throw new PermanentStoreError('The row is full.');
      },
      meanwhile: (all) => deliver(all, later),
    });
    expect(await consume(second)).toEqual([]);
    expect(tables.waiting()).toEqual(['live:event:r event']);
  });

  it.each<[string, Meeting & { outcome: string; isMerged: boolean }]>([
    [
      'applied, when its first merge changed the order',
      { outcome: 'applied', isMerged: false, meanwhile: mergeElsewhere },
    ],
    [
      'applied, when its second merge did',
      { outcome: 'applied', isMerged: true, meanwhile: (all) => deliver(all, later) },
    ],
    ['a duplicate, when none did', { outcome: 'duplicate', isMerged: true, meanwhile: mergeElsewhere }],
  ])('is logged at its second delivery as %s', async (_, { outcome, isMerged, meanwhile }) => {
    let isDelivered = false;
    const { consume, outcomes, tables } = await meet({
      fault: () => {
        if (!isMerged && !isDelivered) throw new Error('throttled');
      },
      meanwhile: async (all) => (isDelivered ? meanwhile?.(all) : undefined),
    });
    if (isMerged) await deliver(tables, second);
    else await consume(second);
    isDelivered = true;
    expect(await consume(second)).toEqual([]);
    expect(outcomes().at(-1)).toBe(outcome);
  });
});
