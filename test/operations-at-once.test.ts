import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { fact } from './doubles/facts.ts';
import { type ActDone, type SharedTables, sharedTables } from './doubles/operators-at-once.ts';
import type { SentBody } from './doubles/sqs-event.ts';
import { type Gate, meetEveryWay, takeTurns } from './doubles/turns.ts';

type Tables = ReturnType<typeof sharedTables>;
type Work = (tables: Tables, gate?: Gate) => Promise<ActDone | undefined>;

const body = (fields: EventFields): SentBody => ({ body: eventBody(fields), messageId: fields.id });
const refund = body({ id: 'r', action: 'refunded' });
const payment = body({ id: 'p', order: 'B' });
const dispute = body({ id: 'd', order: 'A', action: 'disputed' });

const act =
  (name: Parameters<Tables['act']>[0], fields: object, by: string): Work =>
  (tables, gate) =>
    tables.act(name, fields, by, gate);
const delivery =
  (...sent: SentBody[]): Work =>
  async (tables, gate) => {
    await tables.consume(sent, gate);
    return undefined;
  };
const admit = (by: string, orderId: string, fields: object = { event_id: 'r' }): Work =>
  act('admit', { ...fields, order_id: orderId }, by);
const dismiss = (by: string): Work => act('dismiss', { event_id: 'r' }, by);

interface Meeting {
  readonly before: readonly SentBody[];
  readonly change?: (tables: Tables) => void;
  readonly works: readonly [Work, Work];
  readonly settings?: SharedTables;
  /** Asserts how a meeting has ended; `at` names it in a failure. */
  readonly expectEnd: (tables: Tables, results: readonly (ActDone | undefined)[], at: string) => void;
}

/** Lets both meet in every way; returns how many there were. */
function meet({ before, change, works, settings, expectEnd }: Meeting): Promise<number> {
  return meetEveryWay(async (turns) => {
    const tables = sharedTables(settings);
    for (const sent of before) await tables.consume(sent);
    change?.(tables);
    const actors = works.map((work) => (gate: Gate) => work(tables, gate));
    const { results, ended } = await takeTurns(actors, turns);
    expectEnd(tables, results, JSON.stringify(turns));
    return { ended };
  });
}

const statuses = (results: readonly (ActDone | undefined)[]) =>
  results.map((result) => result?.status).toSorted();

describe('two operators at once', () => {
  it.each<[string, SentBody, object]>([
    ['without an order', refund, { event_id: 'r' }],
    [
      'without an order and a transaction',
      body({ id: 'r', action: 'refunded', transaction: null }),
      { event_id: 'r' },
    ],
    ['whose order id is invalid', body({ id: 'r', order: 'o'.repeat(1_025) }), { event_id: 'r' }],
  ])(
    'admit an event %s under different orders: one succeeds, and the other gets 409',
    async (_, sent, fields) => {
      const winners = new Set<string>();
      const count = await meet({
        before: [sent],
        works: [admit('ann', 'A', fields), admit('bob', 'B', fields)],
        expectEnd: (tables, results, at) => {
          expect([at, statuses(results)]).toEqual([at, [200, 409]]);
          const winner = results[0]?.status === 200 ? 'A' : 'B';
          winners.add(winner);
          expect([at, Object.keys(tables.orderViews())]).toEqual([at, [winner]]);
          expect([at, tables.waiting()]).toEqual([at, []]);
          expect(tables.events.get('live:event:r event')).toMatchObject({
            outcome: 'applied',
            assignedOrderId: winner,
          });
          for (const { orderIds } of tables.transactions.values())
            expect([at, [...orderIds]]).toEqual([at, [winner]]);
        },
      });
      expect([...winners].toSorted()).toEqual(['A', 'B']);
      expect(count).toBeGreaterThan(50);
    },
  );

  it('admit and dismiss an event: it is in its order if the admission succeeded, and dismissed otherwise', async () => {
    const ends = new Set<string>();
    await meet({
      before: [refund],
      works: [admit('ann', 'A'), dismiss('bob')],
      expectEnd: (tables, results, at) => {
        const [admission, dismissal] = results;
        const isAdmitted = admission?.status === 200;
        ends.add(JSON.stringify(results.map((result) => result?.status)));
        expect([at, tables.waiting()]).toEqual([at, []]);
        const { judged } = tables.events.get('live:event:r event') ?? {};
        expect([at, judged?.verdict]).toEqual([at, isAdmitted ? 'admitted' : 'dismissed']);
        expect([at, Object.keys(tables.orderViews())]).toEqual([at, isAdmitted ? ['A'] : []]);
        if (!isAdmitted) expect([at, dismissal?.status]).toEqual([at, 200]);
      },
    });
    // Dismissed first, and then admitted; or admitted first.
    expect([...ends].toSorted()).toEqual(['[200,200]', '[200,409]']);
  });

  it('dismiss an event: the judgement and the audit are those of one of them', async () => {
    await meet({
      before: [refund],
      works: [dismiss('ann'), dismiss('bob')],
      expectEnd: (tables, results, at) => {
        expect([at, results.map((result) => result?.changed).toSorted()]).toEqual([at, [false, true]]);
        const by = results[0]?.changed ? 'ann' : 'bob';
        expect(tables.events.get('live:event:r event')?.judged).toMatchObject({ verdict: 'dismissed', by });
        const audits = tables.acts.get('live:event:r')?.map((audit) => audit.by);
        expect([at, audits]).toEqual([at, [by]]);
        expect(tables.waiting()).toEqual([]);
      },
    });
  });

  it('resolve an attention: it is resolved, in whatever order they did', async () => {
    const resolve = (by: string) =>
      act('resolve', { order_id: 'A', sequence: 1, attention: ['disputed'] }, by);
    await meet({
      before: [dispute],
      works: [resolve('ann'), resolve('bob')],
      expectEnd: (tables, results, at) => {
        expect([at, tables.orderViews()['A']?.attention]).toEqual([at, []]);
        expect([at, results.some((result) => result?.changed)]).toEqual([at, true]);
        expect(statuses(results).every((status) => status === 200 || status === 409)).toBe(true);
      },
    });
  });
});

describe('two replays at once', () => {
  it('correct a misread event once', async () => {
    const misread = fact('e', 'paid', { amount: '9.00' });
    await meet({
      before: [body({ id: 'e', order: 'A' })],
      change: ({ orders }) => orders.get('live:order:A')?.facts.add(misread),
      works: [act('replay', { event_id: 'e' }, 'ann'), act('replay', { event_id: 'e' }, 'bob')],
      expectEnd: (tables, results, at) => {
        expect([at, statuses(results)]).toEqual([at, [200, 200]]);
        const facts = [...(tables.orders.get('live:order:A')?.facts ?? [])];
        const sha256 = createHash('sha256').update(misread).digest('hex');
        const corrected = [fact('e', 'paid'), misread, JSON.stringify(['correction.1', sha256, 1])];
        expect([at, facts.toSorted()]).toEqual([at, corrected.toSorted()]);
      },
    });
  });
});

describe('an operator and a delivery at once', () => {
  it('replay a misread event that is delivered again: it is corrected', async () => {
    const misread = fact('e', 'paid', { amount: '9.00' });
    const sent = body({ id: 'e', order: 'A' });
    await meet({
      before: [sent],
      change: ({ orders }) => orders.get('live:order:A')?.facts.add(misread),
      works: [act('replay', { event_id: 'e' }, 'ann'), delivery(sent)],
      expectEnd: (tables, [replay], at) => {
        const view = { status: 'paid', attention: [], events: ['e'] };
        expect([at, replay?.status, tables.orderViews()['A']]).toEqual([at, 200, view]);
        expect(tables.orders.get('live:order:A')?.facts.size).toBe(3);
      },
    });
  });

  it('resolve an attention of an order while a new fact arrives: it is listed again', async () => {
    await meet({
      before: [dispute],
      works: [
        act('resolve', { order_id: 'A', sequence: 1, attention: ['disputed'] }, 'ann'),
        delivery(body({ id: 'n', order: 'A', action: 'failed' })),
      ],
      expectEnd: (tables, [resolution], at) => {
        expect([at, tables.orderViews()['A']?.attention]).toEqual([at, ['disputed']]);
        expect([200, 409]).toContain(resolution?.status);
      },
    });
  });

  it.each([undefined, 30])(
    'admit an event that is delivered again: it ends as without that delivery (bodies for %j days)',
    async (eventRetentionDays) => {
      const settings = { eventRetentionDays };
      const alone = sharedTables(settings);
      await alone.consume(refund);
      await admit('ann', 'A')(alone);
      const { acts: _, ...expected } = alone.state();
      await meet({
        before: [refund],
        works: [admit('ann', 'A'), delivery(refund)],
        settings,
        expectEnd: (tables, [admission], at) => {
          const { acts: __, ...state } = tables.state();
          expect([at, admission?.status, state]).toEqual([at, 200, expected]);
        },
      });
    },
  );

  it('admit a refund under one order while its payment names another: the order of the payment has it', async () => {
    const ends = new Set<string>();
    await meet({
      before: [refund],
      works: [admit('ann', 'A'), delivery(payment)],
      expectEnd: (tables, [admission], at) => {
        const views = tables.orderViews();
        ends.add(`${admission?.status} ${Object.keys(views).toSorted()}`);
        expect([at, views['B']?.events]).toEqual([at, ['p', 'r']]);
        expect([at, tables.waiting()]).toEqual([at, []]);
        // Both orders have it only if the admission came first, and then both say so.
        const isShared = admission?.status === 200;
        expect([at, Object.keys(views).toSorted()]).toEqual([at, isShared ? ['A', 'B'] : ['B']]);
        const marked = Object.values(views).map((view) =>
          view.attention.includes('transaction_in_two_orders'),
        );
        expect([at, marked]).toEqual([at, isShared ? [true, true] : [false]]);
      },
    });
    expect([...ends].toSorted()).toEqual(['200 A,B', '409 B']);
  });

  it.each<[string, SentBody, number | undefined]>([
    ['in the same bytes', body({ id: 'e', order: 'A' }), undefined],
    ['in other bytes', body({ id: 'e', order: 'A', attempt: 2 }), undefined],
    ['in the same bytes, with a retention', body({ id: 'e', order: 'A' }), 30],
    ['in other bytes, with a retention', body({ id: 'e', order: 'A', attempt: 2 }), 30],
  ])('erase an event that is delivered again %s: no body is left', async (_, sent, eventRetentionDays) => {
    await meet({
      before: [body({ id: 'e', order: 'A' })],
      works: [act('erase', { event_id: 'e' }, 'ann'), delivery(sent)],
      settings: { eventRetentionDays },
      expectEnd: (tables, [erasure], at) => {
        expect([at, erasure?.status, tables.bodyHolders()]).toEqual([at, 200, []]);
        expect([at, tables.orderViews()['A']?.status, tables.waiting()]).toEqual([at, 'paid', []]);
      },
    });
  });
});
