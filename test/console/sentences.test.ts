import type { ActResult, OrderChange } from '@payhooks/order-client';
import { describe, expect, it } from 'vitest';
import type { Subject } from '../../console/page/acts/choices.ts';
import { problemOfReason } from '../../console/page/acts/reason.ts';
import {
  doneSentence,
  effectSentence,
  judgementLabel,
  judgementSentence,
  resolutionSentence,
  unresolvable,
} from '../../console/page/acts/sentences.ts';

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
const order = (fields: Partial<OrderChange>): OrderChange => ({
  order_id: 'order-1',
  before: { status: 'paid', attention: [], transactions: [], sequence: 1 },
  after: { status: 'refunded', attention: [], transactions: [], sequence: 2 },
  ...fields,
});
const result = (fields: Partial<ActResult>): ActResult => ({
  ...{ act: 'admit', mode: 'live', dry_run: false, changed: true, by: 'arn:aws:iam::1:user/kim' },
  ...{ at: '2026-11-22T11:00:00.000Z', reason: 'by phone', events: [waitingEvent], orders: [] },
  ...fields,
});

describe('judgementSentence', () => {
  it('names the event and what admitting it does to the money', () => {
    expect(judgementSentence('admit', subject, result({ orders: [order({})] }))).toBe(
      'If you admit evt-1, its transaction joins the order, with everything else that waits for it.',
    );
  });

  it('asks to check the id of an order that no event has named', () => {
    const orders = [order({ before: null })];
    expect(judgementSentence('admit', subject, result({ orders }))).toMatch(
      / order-1 is a new order, which no event has named: check its id\.$/,
    );
  });

  it('does not doubt the order that the event itself names', () => {
    const orders = [order({ before: null })];
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

  it('names what a dismissal leaves out', () => {
    expect(judgementSentence('dismiss', subject, result({}))).toBe(
      'If you dismiss evt-1, no order gets it, unless a payment of its transaction names one later.',
    );
  });
});

describe('judgementLabel', () => {
  it.each([
    ['admit', 'order-1001', 'Admit to order-1001'],
    ['admit', null, 'Admit evt-1'],
    ['dismiss', 'order-1001', 'Dismiss evt-1'],
  ] as const)('names what the button does: %s, %s', (act, orderId, label) => {
    expect(judgementLabel(act, subject, orderId)).toBe(label);
  });

  it('shows a body without an id by the beginning of its hash', () => {
    const body: Subject = { ...subject, kind: 'unrecognised', eventId: null };
    expect(judgementLabel('dismiss', body, null)).toBe('Dismiss the body aaaaaaaaaaaa…');
  });

  it('shows no character that turns the text around, and cuts a long id', () => {
    const label = judgementLabel('admit', subject, `\u202e${'x'.repeat(500)}`);
    expect([label.includes('\u202e'), label.length < 60]).toEqual([false, true]);
  });
});

describe('effectSentence', () => {
  it.each<[OrderChange[], string]>([
    [[], 'No order changes.'],
    [[order({})], 'order-1 changes from paid to refunded.'],
    [[order({ before: null })], 'order-1 is a new order, refunded.'],
    [
      [order({ after: { status: 'paid', attention: [], transactions: [], sequence: 2 } })],
      'order-1 stays paid; only its history grows.',
    ],
    [
      [order({ after: { status: 'paid', attention: ['disputed'], transactions: [], sequence: 2 } })],
      'order-1 stays paid; it then lists “Disputed”.',
    ],
    [Array.from({ length: 4 }, () => order({})), '4 orders change.'],
  ])('describes %o', (orders, sentence) => {
    expect(effectSentence({ orders })).toBe(sentence);
  });
});

describe('doneSentence', () => {
  const done = (fields: Partial<ActResult>, isRepetition: boolean) =>
    doneSentence('Admitted evt-1.', {
      preview: result({ orders: [order({})] }),
      result: result(fields),
      isRepetition,
    });

  it('describes what was changed', () => {
    expect(done({ orders: [order({})] }, false)).toBe(
      'Admitted evt-1. order-1 changes from paid to refunded.',
    );
  });

  it('reports that a repetition found the act done by the first request', () => {
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
    expect(done({ act: 'replay', changed: false }, false)).toBe(
      'Nothing was changed: everything was up to date already.',
    );
  });
});

describe('resolutionSentence', () => {
  it('promises that no money moves', () => {
    expect(resolutionSentence('order-1', 'multiple_paid_transactions')).toBe(
      'If you resolve it, order-1 no longer lists “Possible double charge”, until a new fact arrives. No money moves.',
    );
  });
});

describe('unresolvable', () => {
  it('explains why too_many_events cannot be resolved, and offers the others', () => {
    expect([unresolvable('disputed'), unresolvable('too_many_events')?.slice(0, 43)]).toEqual([
      undefined,
      'The order holds as many events as fit; late',
    ]);
  });
});

describe('problemOfReason', () => {
  it.each([
    ['by phone', undefined],
    ['  ', 'Give the reason: it is stored with who acted and when.'],
    ['two\nlines', 'Give the reason in one line, without control characters.'],
    ['ü'.repeat(256), undefined],
    ['ü'.repeat(257), 'The reason has 514 bytes; at most 512 are stored. Shorten it.'],
  ])('finds the problem of %j', (reason, problem) => {
    expect(problemOfReason(reason)).toBe(problem);
  });
});
