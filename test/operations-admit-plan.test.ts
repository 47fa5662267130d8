import { describe, expect, it } from 'vitest';
import type { WaitingKind } from '../lambdas/contract/waiting-kinds.ts';
import { type AdmissionRequest, planAdmission } from '../lambdas/operations/admission.ts';
import { eventIdsOf } from '../lambdas/operations/events-of-order.ts';
import { kindOf, standingOf } from '../lambdas/operations/judged-row.ts';
import { readAgain } from '../lambdas/operations/read-again.ts';
import type { EventRow } from '../lambdas/ports/stores.ts';
import { eventBody } from './doubles/event-body.ts';
import { paid } from './doubles/facts.ts';
import { meaningOf } from './doubles/fold.ts';

const bodySha256 = 'ab'.repeat(32);
const fact = paid('e');
const base: EventRow = {
  ...{ key: 'live:event:e', record: 'event', mode: 'live', outcome: 'unassigned', bodySha256, eventId: 'e' },
  ...{ keyId: 'abc', receivedAt: '2026-11-21T10:00:00.000Z', recordedAt: '2026-11-21T10:00:01.000Z' },
  eventName: 'transaction.paid',
};
const ofT = { ...base, transactionId: 'T', fact };
const plan = (waitingKind: WaitingKind, row: EventRow, more: Partial<AdmissionRequest> = {}) =>
  planAdmission({ row, siblings: [row], given: undefined, meaningOf, waitingKind, ...more });

const toOrder = (orderId: string) => [{ kind: 'order', fact, orderId }];
const toTransaction = { kind: 'transaction', fact, transactionId: 'T' };
const pays = (orderId: string) => ({ kind: 'payment', fact, orderId, transactionId: 'T' });
const routed = (routes: object[], own?: object) => ({ mode: 'live', routes, ...(own && { own }) });
const toA = { orderId: 'A', transactionId: 'T' };
const aloneToA = { orderId: 'A', transactionId: undefined };
const none = 'The field order_id is missing; expected the order of the event, because it names none.';
const notA = 'The field order_id is "B"; expected "A", the order of the event.';

describe('the admission of an unassigned event', () => {
  it('gives its transaction, or the event alone where it has none, the order that the operator names', () => {
    const own = { row: ofT, fact };
    const routes = [toTransaction, pays('A')];
    const expected = { kind: 'apply', orderId: 'A', routed: routed(routes, own), fact, assigns: toA };
    expect(plan('unassigned', ofT, { given: 'A' })).toStrictEqual(expected);
    const alone = { ...base, fact };
    const ofAlone = routed(toOrder('A'), { row: alone, fact });
    const applied = { kind: 'apply', orderId: 'A', routed: ofAlone, fact, assigns: aloneToA };
    expect(plan('unassigned', alone, { given: 'A' })).toStrictEqual(applied);
    expect(() => plan('unassigned', ofT)).toThrow(none);
  });
});

describe.each(['unassigned', 'order_refused', 'conflict', 'quarantined'] as const)(
  'the admission of a row without its body that waits as %s',
  (kind) => {
    const { eventId: _, ...nameless } = base;
    it.each([
      [base, 'The event "e" cannot be admitted: its body has expired.'],
      [
        { ...nameless, erased: { by: 'ann', at: '', reason: '' } },
        `The body ${bodySha256} cannot be admitted: its body was erased.`,
      ],
    ])('is refused, and a new delivery has it again (%#)', (row, detail) => {
      expect(plan(kind, row, { given: 'A' })).toStrictEqual({
        kind: 'refused',
        detail: `${detail} A new delivery of the event has it again.`,
      });
    });
  },
);

describe('the admission of an event that its order refused', () => {
  const retry = (row: EventRow, given?: string) => plan('order_refused', row, { given });

  it('is merged again into the order that it names, and into no other', () => {
    const row = { ...ofT, orderId: 'A' };
    const expected = { kind: 'apply', orderId: 'A', routed: routed([pays('A')], { row, fact }), fact };
    expect(retry(row)).toStrictEqual(expected);
    expect(retry(row, 'A')).toStrictEqual(expected);
    expect(() => retry(row, 'B')).toThrow(notA);
    const { transactionId: _, ...alone } = row;
    expect(retry(alone)).toMatchObject({ routed: { routes: toOrder('A') } });
    expect(() => retry(alone, 'B')).toThrow(notA);
  });

  it('stays with the order of its transaction', () => {
    const row = { ...ofT, assignedOrderId: 'A' };
    const own = { row, fact };
    const routes = routed([toTransaction, pays('A')], own);
    expect(retry(row)).toStrictEqual({ kind: 'apply', orderId: 'A', routed: routes, fact });
    expect(() => retry(row, 'B')).toThrow(notA);
    expect(() => retry(ofT)).toThrow('The field order_id is missing');
  });

  it('may go to another order when neither body nor transaction binds it', () => {
    const row = { ...base, fact, assignedOrderId: 'A' };
    expect(retry(row)).toMatchObject({ orderId: 'A', routed: { routes: toOrder('A') } });
    expect(retry(row, 'B')).toMatchObject({ orderId: 'B', routed: { routes: toOrder('B') } });
  });
});

describe('the admission of a conflicting body', () => {
  const first = { ...ofT, outcome: 'applied' as const };
  const conflicting = { ...ofT, record: `conflict:${bodySha256}`, outcome: 'conflict' as const };
  const admit = (row: EventRow, given?: string, siblings: EventRow[] = [first, row]) =>
    plan('conflict', row, { given, siblings });
  const assigned = {
    ...{ kind: 'apply', orderId: 'A', fact, assigns: toA },
    routed: routed([toTransaction, pays('A')]),
  };

  it('goes to the order that it names, and to no other', () => {
    const row = { ...conflicting, orderId: 'A' };
    const expected = { kind: 'apply', orderId: 'A', routed: routed([pays('A')]), fact };
    expect(admit(row)).toStrictEqual(expected);
    expect(() => admit(row, 'B')).toThrow(notA);
  });

  it('follows its transaction without an order when the event has the same transaction', () => {
    const expected = { kind: 'apply', orderId: undefined, routed: routed([toTransaction]), fact };
    expect(admit(conflicting)).toStrictEqual(expected);
    expect(admit(conflicting, 'A')).toStrictEqual(assigned);
  });

  it.each([
    ['the event has another transaction', [{ ...first, transactionId: 'U' }]],
    ['the event names an order', [{ ...first, orderId: 'C' }]],
    ['there is no row of the event', []],
  ])('needs an order when %s', (_, others) => {
    expect(() => admit(conflicting, undefined, [conflicting, ...others])).toThrow(none);
    expect(admit(conflicting, 'A', [conflicting, ...others])).toStrictEqual(assigned);
  });

  it('without a transaction needs an order, and gets there alone', () => {
    const { transactionId: _, ...alone } = conflicting;
    const { transactionId: __, ...firstAlone } = first;
    expect(() => admit(alone, undefined, [firstAlone, alone])).toThrow(none);
    const expected = {
      ...{ kind: 'apply', orderId: 'A', routed: routed(toOrder('A')), fact, assigns: aloneToA },
    };
    expect(admit(alone, 'A', [firstAlone, alone])).toStrictEqual(expected);
  });

  it('has the fact of its body where the row has none', () => {
    const { fact: _, ...withoutFact } = { ...conflicting, orderId: 'A' };
    const body = eventBody({ id: 'e', order: 'A' });
    expect(admit({ ...withoutFact, body })).toMatchObject({ kind: 'apply', fact });
  });
});

describe('the admission of a body that was not recorded', () => {
  const stored = (body: Uint8Array, more: Partial<EventRow> = {}): EventRow => ({ ...base, body, ...more });
  const alteredBody = (change: object) => {
    const event = JSON.parse(Buffer.from(eventBody({ id: 'e' })).toString());
    return Buffer.from(JSON.stringify({ ...event, ...change }));
  };

  it.each([
    ['quarantined', {}, 'unreadable'],
    ['quarantined', { reason: 'sandbox_flag_missing' }, 'sandbox_flag_missing'],
    ['unrecognised', { reason: 'id_missing' }, 'not_json'],
  ] as const)('is refused while no version reads what waits as %s with %j', (kind, more, reason) => {
    expect(plan(kind, stored(Buffer.from('{'), more))).toStrictEqual({
      kind: 'refused',
      detail:
        `The event "e" is no event for this version either (${reason}), so there is nothing to admit. ` +
        'Deploy a version that reads it, or dismiss it.',
    });
  });

  it('records the message as it came, with its signature where the row has one', () => {
    const body = eventBody({ id: 'e', order: 'A' });
    const message = {
      ...{ body, mode: 'live', keyId: 'abc', receivedAt: '2026-11-21T10:00:00.000Z' },
      requestId: bodySha256,
    };
    const received = { messageId: bodySha256, bodySha256, classification: { kind: 'applied', fact } };
    const expected = { kind: 'record', orderId: 'A', fact, received: { ...received, message } };
    expect(plan('quarantined', stored(body))).toMatchObject(expected);
    expect(plan('quarantined', stored(body))).not.toHaveProperty('assigns');
    expect(plan('quarantined', stored(body))).not.toHaveProperty('received.message.signature');
    const signed = plan('quarantined', stored(body, { signature: 'cd' }));
    expect(signed).toHaveProperty('received.message', { ...message, signature: 'cd' });
    expect(() => plan('quarantined', stored(body), { given: 'B' })).toThrow(notA);
  });

  it('gives an event that names no order the one that the operator names, if any', () => {
    const row = stored(eventBody({ id: 'e' }));
    expect(plan('quarantined', row)).toMatchObject({ kind: 'record', orderId: undefined });
    expect(plan('quarantined', row)).not.toHaveProperty('assigns');
    for (const kind of ['quarantined', 'unrecognised'] as const)
      expect(plan(kind, row, { given: 'A' })).toMatchObject({ orderId: 'A', assigns: toA });
    expect(() => plan('quarantined', { ...row, reason: 'order_id_invalid' })).toThrow(none);
  });

  it('without usable ids is recorded without them', () => {
    const long = 'x'.repeat(1_025);
    const row = stored(eventBody({ id: 'e', order: long, transaction: long }), {
      reason: 'order_id_invalid',
    });
    expect(plan('quarantined', row, { given: 'A' })).toMatchObject({
      ...{ orderId: 'A', assigns: aloneToA },
      received: {
        classification: {
          kind: 'recorded',
          event: { order: null, transaction: { id: null, idInvalid: false } },
        },
      },
    });
  });

  it('that is unreadable no more, but in doubt, is quarantined without an order', () => {
    const doubtful = plan('unrecognised', stored(alteredBody({ sandbox: true })), { given: 'A' });
    expect(doubtful).toMatchObject({ received: { classification: { kind: 'quarantined' } } });
    expect(doubtful).not.toHaveProperty('assigns');
    const long = stored(eventBody({ id: 'e', order: 'x'.repeat(1_025) }));
    expect(plan('unrecognised', long)).toMatchObject({ kind: 'record', orderId: undefined });
  });
});

it('the row of an event name is not admitted as an event', () => {
  expect(() => plan('event_name', base)).toThrow('The row of an event name is not the row of an event.');
});

describe('a row', () => {
  const { eventName: _, ...unnamed } = base;
  it.each<[Partial<EventRow>, WaitingKind | undefined]>([
    [{ outcome: 'unassigned' }, 'unassigned'],
    [{ outcome: 'conflict', record: `conflict:${bodySha256}` }, 'conflict'],
    [{ outcome: 'unrecognised', record: 'unrecognised' }, 'unrecognised'],
    [{ outcome: 'quarantined', record: `quarantine:${bodySha256}` }, 'quarantined'],
    [{ outcome: 'quarantined' }, 'order_refused'],
    [{ outcome: 'applied' }, undefined],
    [{ outcome: 'duplicate', record: `variant:${bodySha256}` }, undefined],
    // Of 0.2.0, by what the name means now.
    [{ outcome: 'recorded' }, 'unassigned'],
    [{ outcome: 'recorded', eventName: 'transaction.settled' }, undefined],
    [{ outcome: 'recorded', eventName: 'transaction.created' }, undefined],
    [{ outcome: 'recorded', eventName: 'transaction.created', waiting: 'unassigned' }, 'unassigned'],
  ])('waits or waited with %j as %s', (state, kind) => {
    const meanings: AdmissionRequest['meaningOf'] = (name) =>
      name === 'transaction.created' ? 'history' : meaningOf(name);
    expect(kindOf({ ...base, ...state }, meanings)).toBe(kind);
    expect(standingOf({ ...base, ...state }, meanings)).toEqual(
      kind === undefined ? { kind: 'done' } : { kind: 'open', waitingKind: kind },
    );
  });

  it('is judged, and one that waits is open after a dismissal and claimed by an admission', () => {
    const dismissed = { verdict: 'dismissed', by: 'ann', at: '', reason: '' } as const;
    const admitted = { ...dismissed, verdict: 'admitted' } as const;
    const waits = { ...unnamed, waiting: 'order_refused' } as const;
    expect(standingOf({ ...base, judged: dismissed }, meaningOf)).toEqual({
      ...{ kind: 'judged', waitingKind: 'unassigned', judged: dismissed },
    });
    expect(standingOf({ ...waits, judged: dismissed }, meaningOf)).toEqual({
      ...{ kind: 'open', waitingKind: 'order_refused' },
    });
    expect(standingOf({ ...waits, judged: admitted }, meaningOf)).toEqual({
      ...{ kind: 'claimed', waitingKind: 'order_refused', judged: admitted },
    });
  });
});

it('the events of an order are those of its facts and of its acts, each once, by id', () => {
  const decision = { act: 'dismiss', by: 'ann', at: '', reason: '' } as const;
  const acts = [
    { ...decision, eventId: 'd' },
    { ...decision, orderId: 'A' },
    { ...decision, eventId: 'b' },
  ];
  const marks = ['["full.1"]', '["shared.1","T"]', `["conflict.1","c","${bodySha256}"]`];
  expect(eventIdsOf([paid('e'), paid('b'), ...marks], acts)).toEqual(['b', 'c', 'd', 'e']);
});

describe('a body that a later version reads again', () => {
  const decision = { by: 'ann', at: '', reason: '' };
  const admitted = { verdict: 'admitted', ...decision } as const;
  const crossed = eventBody({ id: 'e', order: 'A', sandbox: true });
  const quarantined = { ...base, record: `quarantine:${bodySha256}`, outcome: 'quarantined' } as const;
  const inDoubt = { ok: false, reason: 'sandbox_flag_disagrees' };

  it.each<[string, EventRow]>([
    ['no operator has judged it', quarantined],
    ['it was dismissed', { ...quarantined, judged: { verdict: 'dismissed', ...decision } }],
    ['another body was admitted', { ...quarantined, bodySha256: 'cd'.repeat(32), judged: admitted }],
    ['it was admitted as a conflict', { ...quarantined, outcome: 'conflict', judged: admitted }],
  ])('stays out of its order when it is in doubt and %s', (_, other) => {
    expect(readAgain(base, crossed, [other])).toEqual(inDoubt);
    expect(readAgain(base, crossed, [])).toEqual(inDoubt);
  });

  it('stays in its order when it is in doubt and was admitted', () => {
    const again = readAgain(base, crossed, [base, { ...quarantined, judged: admitted }]);
    expect(again).toMatchObject({
      ok: true,
      received: { classification: { kind: 'applied', orderId: 'A' } },
    });
  });

  it('has no order where no order can have the id that it names', () => {
    const long = eventBody({ id: 'e', order: 'x'.repeat(1_025) });
    const again = readAgain(base, long, [{ ...quarantined, judged: admitted }]);
    expect(again).toMatchObject({
      ok: true,
      event: { order: null },
      received: { classification: { kind: 'recorded' } },
    });
  });
});
