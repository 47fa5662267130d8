import type { ActResult, EraseResult, ReplayResult } from '@payhooks/order-client';
import { ConflictError } from '@payhooks/order-client';
import { describe, expect, it, vi } from 'vitest';
import { confirmAct, planAct } from '../../operator/acts/act.ts';
import { erase } from '../../operator/acts/erase.ts';
import { judge } from '../../operator/acts/judge.ts';
import { allPages } from '../../operator/acts/pages.ts';
import { replay } from '../../operator/acts/replay.ts';
import { resolve } from '../../operator/acts/resolve.ts';

const money = { amount: '9.00', currency: 'USD' } as const;
const transaction = { id: 'T', status: 'paid', ...money, returned: null, created_at: null } as const;
const snapshot = { status: 'paid', attention: [], transactions: [transaction], sequence: 1 } as const;
const change = (sequence: number, order_id = 'order-1') =>
  ({ order_id, before: null, after: { ...snapshot, sequence } }) as unknown as ActResult['orders'][number];
const waiting = {
  ...{
    event_id: 'evt-1',
    body_sha256: 'a'.repeat(64),
    event_name: 'transaction.paid',
    meaning: 'paid',
    ...money,
  },
  before: { outcome: 'unassigned', waiting: 'unassigned' },
  after: { outcome: 'applied', waiting: null },
} as ActResult['events'][number];
const dismissed = {
  ...waiting,
  before: { outcome: 'unassigned', waiting: null },
} as ActResult['events'][number];
const result = (fields: Partial<ActResult> = {}): ActResult => ({
  ...{ act: 'admit', mode: 'live', dry_run: false, changed: true, by: 'arn:aws:iam::1:user/kim' },
  ...{ at: '2026-11-22T11:00:00.000Z', reason: 'by phone', events: [waiting], orders: [change(1)] },
  ...{ plan_sha256: '', proposal_id: null },
  ...fields,
});

const request = { act: 'admit', mode: 'live', event_id: 'evt-1', order_id: 'order-1' } as const;
const noWait = async () => {};
const pages = { requestPages: allPages(noWait) };

/** An admission whose requests get these responses, one after the other. */
function admission(responses: readonly (ActResult | Error)[], named: object = request) {
  const admit = vi.fn(async (_: object) => {
    const response = responses[admit.mock.calls.length - 1] ?? responses.at(-1);
    if (response instanceof Error) throw response;
    return response as ActResult;
  });
  const records = [
    { body_sha256: 'b'.repeat(64), judged: null },
    {
      body_sha256: 'a'.repeat(64),
      judged: { verdict: 'dismissed', by: 'a/kim', at: '2026-11-22T09:00:00Z', reason: 'a test' },
    },
  ];
  const operations = { admit, dismiss: admit, event: async () => ({ records }) };
  const waits: (readonly [number, string])[] = [];
  const wait = async (...given: readonly [number, string]) => void waits.push(given);
  const act = judge(operations as never, named as never, { wait, readKeys: async () => [] });
  return { act, waits, sent: () => admit.mock.calls.map(([body]) => body) };
}

const confirm = async ({ act }: ReturnType<typeof admission>, isRepetition = false) =>
  confirmAct(act, { shown: (await planAct(act)).plan, reason: 'by phone', isRepetition });

it.each([
  ['arn:aws:iam::1:user/kim', /^Proposed\. Nothing changes until another person approves 3f9a\.$/],
  ['arn:aws:iam::1:user/ana', /^ana proposed it at 2026-11-22T11:00:00.000Z: "by phone"\. Nothing changes/],
])('an act that needs two people ends as a proposal, by the first who made it: %s', async (by, sentence) => {
  const proposed = result({ changed: false, proposal_id: '3f9a', by });
  const { outcome } = { ...(await confirm(admission([result(), result(), proposed]))) } as {
    outcome?: object;
  };
  expect(outcome).toMatchObject({ sentence: expect.stringMatching(sentence), orders: [], proposal: '3f9a' });
});

describe('an act', () => {
  it('that is repeated after a lost response was done by the first request, or is done now', async () => {
    const isDone = admission([result(), result({ changed: false, orders: [] })]);
    expect(await confirm(isDone, true)).toMatchObject({
      step: 'done',
      outcome: {
        sentence:
          'Applied payment of 9.00 USD to order-1. The first request had done it, and the repetition changed ' +
          'nothing more.',
      },
    });
    expect(isDone.sent()).not.toContainEqual(expect.objectContaining({ dry_run: false }));
    const isLost = admission([result(), result({ orders: [change(7)] }), result()]);
    expect(await confirm(isLost, true)).toMatchObject({
      outcome: { sentence: 'Applied payment of 9.00 USD to order-1.', orders: [change(1)] },
    });
    const isOther = admission([result(), result({ orders: [] })]);
    expect(await confirm(isOther, true)).toMatchObject({ step: 'changed' });
  });

  it('that nobody did is not called done: what waited has reached its order by itself', async () => {
    const none = result({ changed: false, events: [], orders: [] });
    const given = admission([result(), none, { ...none, reason: '' }]);
    expect(await confirm(given, true)).toMatchObject({
      outcome: { sentence: 'Nothing was changed. evt-1 does not wait.', record: null },
    });
    expect(given.sent().at(-1)).toMatchObject({ dry_run: true });
  });

  it('that the client repeated changed what its plan has shown', async () => {
    const later = result({ orders: [change(7)] });
    const given = admission([result(), later, result({ changed: false, orders: [] })]);
    expect(await confirm(given)).toMatchObject({
      outcome: {
        sentence: expect.stringContaining('The first request had done it'),
        ...{ events: [waiting], orders: [change(7)], record: { event_id: 'evt-1', order_id: 'order-1' } },
      },
    });
  });

  it('names the operator who was faster', async () => {
    const by = 'arn:aws:sts::1:assumed-role/ops/alex';
    const given = admission([result(), result(), result({ changed: false, by })]);
    expect(await confirm(given)).toMatchObject({
      outcome: {
        sentence: 'Nothing was changed: alex did it at 2026-11-22T11:00:00.000Z: "by phone".',
        orders: [],
      },
    });
  });

  it('waits ten times for what a consumer may be working on', async () => {
    const problem = { type: 'about:blank', title: 'Busy', status: 409, detail: 'busy' } as const;
    const busy = new ConflictError({ ...problem, retry_after_seconds: 3 });
    const passing = admission([busy, busy, result()]);
    await planAct(passing.act);
    expect(passing.waits).toEqual([
      [3, 'evt-1'],
      [3, 'evt-1'],
    ]);
    const lasting = admission([busy]);
    await expect(planAct(lasting.act)).rejects.toBe(busy);
    expect(lasting.waits).toHaveLength(10);
    const forbidden = admission([new ConflictError(problem)]);
    await expect(planAct(forbidden.act)).rejects.toThrow(ConflictError);
    expect(forbidden.waits).toEqual([]);
  });
});

describe('the plan of a judgement', () => {
  const sentenceOf = async (response: ActResult, named: object = request) =>
    (await planAct(admission([response], named).act)).plan.sentence;

  it('says what it does, and which order no event has named', async () => {
    expect(await sentenceOf(result())).toBe(
      'If you apply the payment of 9.00 USD, its transaction joins the order, with everything else that waits ' +
        'for it. ' +
        'order-1 is a new order, which no event has named: check its id.',
    );
    expect(await sentenceOf(result(), { ...request, order_id: 'order-2' })).not.toContain('check its id');
  });

  it('names who dismissed the body before, and why', async () => {
    expect(await sentenceOf(result({ events: [dismissed], orders: [] }))).toBe(
      'If you apply the payment of 9.00 USD, it counts after all. kim dismissed it at 2026-11-22T09:00:00Z: "a test".',
    );
    const other = { ...request, body_sha256: 'b'.repeat(64) };
    expect(await sentenceOf(result({ events: [dismissed] }), other)).not.toContain('dismissed it');
  });

  it('is about its subject, and not about what joins with it', async () => {
    const refund = { ...waiting, event_id: 'evt-0' };
    const quarantined = { outcome: 'quarantined', waiting: 'quarantined' } as const;
    const payment = { ...waiting, before: quarantined };
    expect(await sentenceOf(result({ events: [refund, payment] }))).toContain('money that you never got');
    expect(await sentenceOf(result({ events: [refund, dismissed] }))).toContain('kim dismissed it');
  });

  it('names a body by its hash and a name by itself, without what turns text around', async () => {
    const questionOf = (named: object) => admission([], { mode: 'live', ...named }).act.question();
    expect(questionOf({ act: 'dismiss', body_sha256: 'c'.repeat(64) })).toBe('Dismiss body cccccccccccc…?');
    expect(questionOf({ act: 'dismiss', event_name: 'x\u202ey' })).toBe('Dismiss xy?');
  });
});

describe('a resolution', () => {
  function start() {
    const send = vi.fn(async (_: object) => result({ act: 'resolve', events: [], orders: [] }));
    let sequence = 5;
    const order = vi.fn(async () => ({ ...snapshot, sequence }));
    const addFact = () => {
      sequence += 1;
    };
    const clients = { operations: { resolve: send }, query: { order } };
    const named = {
      act: 'resolve',
      mode: 'live',
      order_id: 'o-1',
      attention: ['disputed'],
    } as const;
    const act = resolve(clients as never, named, { wait: noWait });
    const sequences = () => send.mock.calls.map(([body]) => (body as { sequence: number }).sequence);
    return { act, sequences, addFact };
  }

  it('is for the order as the plan shows it, with its money and what the attention means', async () => {
    const { act, sequences, addFact } = start();
    const { plan: shown } = await planAct(act);
    expect(shown.context).toEqual([
      expect.stringMatching(/^A payment is disputed/),
      'T: payment of 9.00 USD',
    ]);
    await confirmAct(act, { shown, reason: 'won' });
    expect(sequences()).toEqual([5, 5, 5]);
    // A second dispute moves no money.
    addFact();
    expect(await confirmAct(act, { shown, reason: 'won' })).toMatchObject({ step: 'changed' });
    expect(sequences()).toEqual([5, 5, 5, 6]);
  });
});

describe('an act in several pages', () => {
  const page = (fields: object) => result(fields as never) as unknown as ReplayResult & EraseResult;

  it('is one result: an order from its first state to its last', async () => {
    const pages = [
      page({ orders: [change(1)], replayed: 2, left: [], next_cursor: 'a', retry_after_seconds: 2 }),
      page({ orders: [{ ...change(3), before: snapshot }], replayed: 1, left: [], next_cursor: null }),
    ];
    const send = vi.fn(async (_: object) => pages[(send.mock.calls.length - 1) % 2] as ReplayResult);
    const waits: number[] = [];
    const requestPages = allPages(async (seconds) => void waits.push(seconds));
    const since = '2026-11-01T00:00:00.000Z';
    const act = replay({ replay: send }, { act: 'replay', mode: 'live', since }, { requestPages });
    const { plan: shown } = await planAct(act);
    expect(shown.orders).toEqual([change(3)]);
    expect(shown.sentence).toBe('3 events would be replayed; orders that change: 1.');
    expect(waits).toEqual([2]);
    // So long a run has one dry run only.
    expect(await confirmAct(act, { shown, reason: 'a fix' })).toMatchObject({
      outcome: { sentence: '3 events replayed; orders that change: 1.' },
    });
    expect(send.mock.calls.map(([body]) => body)).toEqual([
      { mode: 'live', dry_run: true, since },
      { mode: 'live', dry_run: true, cursor: 'a' },
      { mode: 'live', dry_run: false, reason: 'a fix', since },
      { mode: 'live', dry_run: false, reason: 'a fix', cursor: 'a' },
    ]);
  });

  const upToDate = page({
    ...{ act: 'replay', changed: false, orders: [], replayed: 1, left: [], next_cursor: null },
  });

  it('that finds everything up to date writes no audit row', async () => {
    const stale = { ...upToDate, changed: true, orders: [change(1)] };
    const send = vi.fn(async () => (send.mock.calls.length < 3 ? stale : upToDate));
    const act = replay({ replay: send }, { act: 'replay', event_id: 'evt-1' }, pages);
    expect(await confirmAct(act, { shown: (await planAct(act)).plan, reason: 'a fix' })).toMatchObject({
      outcome: { sentence: 'Nothing was changed: everything was up to date already.', record: null },
    });
  });

  it('that is repeated, and finds everything up to date, does not know who did it', async () => {
    const act = replay({ replay: async () => upToDate }, { act: 'replay', event_id: 'evt-1' }, pages);
    const shown = { effect: 'another', by: upToDate.by };
    expect(await confirmAct(act, { shown, reason: 'a fix', isRepetition: true })).toMatchObject({
      outcome: { sentence: expect.stringMatching(/up to date\. The first request may have done it\.$/) },
    });
  });

  it('that erases what another one had begun to erase names both, and counts the bytes of every page', async () => {
    const erased = [{ event_id: 'evt-1', body_sha256: 'a'.repeat(64), bytes: 20 }];
    const first = page({ changed: false, by: 'a/alex', erased, next_cursor: 'a' });
    const second = page({ erased, next_cursor: null });
    const send = vi.fn(async () => (send.mock.calls.length % 2 === 1 ? first : second));
    const act = erase({ erase: send }, { act: 'erase', order_id: 'order-1' }, pages);
    const sentence = 'Deletes 2 stored payloads (40 bytes) for good. Amounts, hash and event id stay.';
    expect(await planAct(act)).toMatchObject({ plan: { is_needed: true, by: second.by, sentence } });
  });
});
