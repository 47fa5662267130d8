import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../../lambdas/webhook-audit/history.ts';
import { unreachedSince } from '../../../lambdas/webhook-audit/unreached.ts';

const now = Date.UTC(2026, 10, 21, 10);

/** Attempts this many minutes ago that got no response, each of another delivery. */
const find = (...attempts: readonly (Partial<Attempt> & { readonly minutes: number })[]) =>
  unreachedSince(
    attempts.map(({ minutes, ...more }) => ({
      ...{ mode: 'live', eventId: `e-${minutes}`, eventName: 'transaction.paid', delivery: `d-${minutes}` },
      ...{ number: 1, at: now - minutes * 60_000, status: null, body: null, isPending: true, ...more },
    })),
    now,
  );
const forbidden = { status: 403, body: '{"message":"Forbidden"}' };
/** What the verifier, or API Gateway in front of it, responds. */
const ours: readonly Partial<Attempt>[] = [
  ...[202, 413, 429, 500, 503].map((status) => ({ status })),
  { status: 403, body: '{"message":"Invalid signature"}' },
  { status: 403, body: null },
];

describe('the audit of the newest delivery attempts', () => {
  it('finds three attempts without a response within five minutes or more', () => {
    expect(find({ minutes: 1 }, { minutes: 4 }, { minutes: 6 })).toBe(
      'No delivery has reached the verifier since 2026-11-21T09:54:00.000Z: 3 attempts, the last one got no response.',
    );
    expect(find({ minutes: 1 }, { minutes: 4 }, { minutes: 5.9 })).toBeUndefined();
  });

  it('finds three attempts at once when one of them is a retry', () => {
    const same = { delivery: 'd-1' };
    expect(find({ minutes: 1, ...same }, { minutes: 2, ...same }, { minutes: 1 })).toMatch(/: 3 attempts/);
  });

  it('takes a hiccup of the network for none: many deliveries at one moment', () => {
    const deliveries = Array.from({ length: 40 }, (_, n) => ({ minutes: 2, delivery: `d-${n}` }));
    expect(find(...deliveries)).toBeUndefined();
  });

  it('finds nothing in two attempts, however far apart', () => {
    expect(find({ minutes: 1 }, { minutes: 300 })).toBeUndefined();
  });

  it('finds nothing thirteen hours after the last attempt', () => {
    expect(find({ minutes: 781 }, { minutes: 790 }, { minutes: 800 })).toBeUndefined();
    expect(find({ minutes: 780 }, { minutes: 790 }, { minutes: 800 })).toMatch(/^No delivery/);
  });

  it.each([...[200, 204, 301, 404, 502, 522].map((status) => ({ status })), forbidden])(
    'finds deliveries that another server, or a refused client certificate, responds to with %j',
    (wrong) => {
      expect(find({ minutes: 1, ...wrong }, { minutes: 4, ...wrong }, { minutes: 9 })).toContain(
        `the last one got status ${wrong.status}, which is not ours.`,
      );
    },
  );

  it.each(ours)('finds nothing once a delivery got our response %j', (reached) => {
    const before = [{ minutes: 5 }, { minutes: 12 }, { minutes: 20 }];
    expect(find(...before)).toMatch(/^No delivery/);
    expect(find({ minutes: 2, ...reached }, ...before)).toBeUndefined();
  });

  it('counts only the attempts after the last one that was reached, in whatever order they come', () => {
    const attempts = [{ minutes: 9 }, { minutes: 1 }, { minutes: 30, status: 202 }, { minutes: 40 }];
    expect(find(...attempts)).toBeUndefined();
    expect(find(...attempts, { minutes: 20 })).toMatch(/since 2026-11-21T09:40:00.000Z: 3 attempts/);
  });
});
