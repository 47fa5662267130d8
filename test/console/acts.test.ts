import type { ActResult, OrderChange, OrderSnapshot, Transaction } from '@payhooks/order-client';
import { describe, expect, it } from 'vitest';
import type { DeadLetterSummary } from '../../console/contract.ts';
import { doneSentence } from '../../console/page/acts/act.ts';
import { changeLines } from '../../console/page/acts/change-lines.ts';
import type { Subject } from '../../console/page/acts/choices.ts';
import { eraseCommand } from '../../console/page/acts/erase-command.ts';
import { judge, judgementSentence, unresolvable } from '../../console/page/acts/judge.ts';
import { redriveObstacles } from '../../console/page/acts/repeat.ts';

const subject: Subject = {
  ...{ mode: 'live', kind: 'unassigned', waits: true, eventId: 'evt-1', eventName: 'transaction.refunded' },
  ...{ bodySha256: 'a'.repeat(64), orderId: null, reason: null, judged: null },
  recordedAt: '2026-11-22T10:00:00.000Z',
};
const waitingEvent = {
  ...{ event_id: 'evt-1', body_sha256: 'a'.repeat(64) },
  before: { outcome: 'unassigned', waiting: 'unassigned' },
  after: { outcome: 'applied', waiting: null },
} as const;
const transaction = (fields: Partial<Transaction> = {}): Transaction => ({
  ...{ id: 'T', status: 'paid', amount: '9.00', currency: 'USD', created_at: null },
  ...fields,
});
const snapshot = (fields: Partial<OrderSnapshot> = {}): OrderSnapshot => ({
  ...{ status: 'paid', attention: [], transactions: [transaction()], sequence: 1 },
  ...fields,
});
const change = (before: OrderSnapshot | null, after: OrderSnapshot): OrderChange => ({
  ...{ order_id: 'order-1', before, after },
});
const result = (fields: Partial<ActResult>): ActResult => ({
  ...{ act: 'admit', mode: 'live', dry_run: false, changed: true, by: 'arn:aws:iam::1:user/kim' },
  ...{ at: '2026-11-22T11:00:00.000Z', reason: 'by phone', events: [waitingEvent], orders: [] },
  ...fields,
});

describe('the sentence about a judgement', () => {
  const orders = [change(null, snapshot())];

  it('names the event, what admitting it does, and an order to check that no event has named', () => {
    expect(judgementSentence('admit', subject, result({ orders }))).toBe(
      'If you admit evt-1, its transaction joins the order, with everything else that waits for it. ' +
        'order-1 is a new order, which no event has named: check its id.',
    );
    const named = { ...subject, orderId: 'order-1' };
    expect(judgementSentence('admit', named, result({ orders }))).not.toContain('check its id');
  });

  it('shows who dismissed the event before, and why', () => {
    const judged: Subject['judged'] = {
      ...{ verdict: 'dismissed', by: 'arn:aws:iam::1:user/kim', reason: 'a test', order_id: null },
      at: '2026-11-22T09:00:00.000Z',
    };
    const events = [{ ...waitingEvent, before: { outcome: 'unassigned', waiting: null } } as const];
    expect(judgementSentence('admit', { ...subject, waits: false, judged }, result({ events }))).toBe(
      'If you admit evt-1, it counts after all. kim dismissed it at 2026-11-22T09:00:00.000Z: "a test".',
    );
  });

  it('is above a button that names the order, with nothing that turns text around', () => {
    expect(judge('admit', subject).confirmLabel('order-1001')).toBe('Admit to order-1001');
    expect(judge('dismiss', subject).confirmLabel(undefined)).toBe('Dismiss evt-1');
    const body: Subject = { ...subject, kind: 'unrecognised', eventId: null };
    expect(judge('dismiss', body).title).toBe('Dismiss the body aaaaaaaaaaaa…?');
    const label = judge('admit', subject).confirmLabel(`\u202e${'x'.repeat(500)}`);
    expect([label.includes('\u202e'), label.length < 60]).toEqual([false, true]);
  });
});

describe('the sentence about what was done', () => {
  const done = (fields: Partial<ActResult>, isRepetition = false) =>
    doneSentence('Admitted evt-1.', { preview: result({}), result: result(fields), isRepetition });

  it('reports that no order changes, or that the first request had done it', () => {
    expect(done({ orders: [change(null, snapshot())] })).toBe('Admitted evt-1.');
    expect(done({})).toBe('Admitted evt-1. No order changes.');
    expect(done({ changed: false }, true)).toBe(
      'Admitted evt-1. The first request had done it, and the repetition changed nothing more.',
    );
  });

  it('names the operator who was faster, and the reason of that one', () => {
    const by = 'arn:aws:sts::1:assumed-role/ops/alex';
    expect([false, true].map((isRepetition) => done({ changed: false, by }, isRepetition))).toEqual(
      Array(2).fill('Nothing was changed: alex did it at 2026-11-22T11:00:00.000Z: "by phone".'),
    );
  });

  it('names nobody for a replay that found everything up to date', () => {
    expect(done({ act: 'replay', changed: false })).toBe(
      'Nothing was changed: everything was up to date already.',
    );
  });
});

describe('the lines of a change of an order', () => {
  const linesOf = (before: OrderSnapshot | null, after: OrderSnapshot) =>
    changeLines(change(before, after)).map(({ sign, text }) => `${sign} ${text}`);

  it('are its status, money and attention before and after, without what stays', () => {
    const other = transaction({ id: 'U', amount: '45.00' });
    const before = snapshot({
      attention: ['disputed', 'currency_mixed'],
      transactions: [other, transaction()],
    });
    const after = snapshot({
      ...{ status: 'refunded', attention: ['currency_mixed', 'conflicting_event'] },
      transactions: [other, transaction({ status: 'refunded' })],
    });
    expect(linesOf(before, after).toSorted()).toEqual([
      ...['+ T: Refunded 9.00 USD', '+ attention: Conflicting event', '+ status: Refunded'],
      ...['- T: Paid 9.00 USD', '- attention: Disputed', '- status: Paid'],
    ]);
    expect(linesOf(null, snapshot())).toEqual(['+ status: Paid', '+ T: Paid 9.00 USD']);
  });

  it('show one more of two equal transactions without an id, and nothing for a change of the history', () => {
    const alone = transaction({ id: null });
    const twice = snapshot({ transactions: [alone, alone] });
    expect(linesOf(snapshot({ transactions: [alone] }), twice)).toEqual([
      '+ without a transaction: Paid 9.00 USD',
    ]);
    expect(linesOf(twice, { ...twice, sequence: 2 })).toEqual([]);
  });
});

it('an attention that no act ends has the reason instead of a button', () => {
  expect(unresolvable('disputed')).toBeUndefined();
  expect(unresolvable('too_many_events')).toMatch(
    /^The order holds as many events as fit; .* No act ends that/,
  );
});

it('a redrive names what it may move in vain', () => {
  const letter = { redriven_before: true, malformed: true } as DeadLetterSummary;
  const messages = [letter, { ...letter, redriven_before: false }];
  expect(redriveObstacles({ groups: [{ error: 'e', meaning: '', messages }] })).toEqual([
    'Redriven before, and back: 1 message.',
    'The consumer of this version cannot read 2 messages.',
  ]);
});

it.each([
  ['order', "it's $(id)", 'live', String.raw`payhooks erase --order 'it'\''s $(id)'`],
  ['event', '--yes', 'live', 'payhooks erase --event=--yes'],
  ['event', 'evt-1', 'sandbox', 'payhooks erase --event evt-1 --sandbox'],
] as const)(
  'the command that erases the %s %s is one that a shell reads as such',
  (name, id, mode, command) => {
    expect(eraseCommand(name, id, mode)).toBe(command);
  },
);
