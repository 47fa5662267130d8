import type { DeliveryAttempt } from '@payhooks/payment-service';
import { describe, expect, it } from 'vitest';
import { unreachedSince } from '../../../lambdas/webhook-audit/unreached.ts';

const now = Date.UTC(2026, 10, 21, 10);
const minute = 60_000;

interface Made extends Partial<DeliveryAttempt> {
  /** How long ago it was. */
  readonly minutes: number;
}

const attempt = ({ minutes, ...more }: Made): DeliveryAttempt => ({
  delivery_id: `d-${minutes}`,
  event_id: `e-${minutes}`,
  event_name: 'transaction.paid',
  attempt: 1,
  attempted_at: new Date(now - minutes * minute).toISOString(),
  response_status: null,
  response_body: null,
  retry_pending: true,
  record: {},
  ...more,
});
const forbidden = { response_status: 403, response_body: '{"message":"Forbidden"}' };
/** What the verifier, or API Gateway in front of it, responds. */
const ours: readonly Partial<DeliveryAttempt>[] = [
  { response_status: 202 },
  { response_status: 403, response_body: '{"message":"Invalid signature"}' },
  { response_status: 403, response_body: null },
  { response_status: 413 },
  { response_status: 429 },
  { response_status: 500 },
  { response_status: 503 },
];
const find = (...attempts: readonly Made[]) => unreachedSince(attempts.map(attempt), now);

describe('the audit of the newest delivery attempts', () => {
  it('finds three attempts without a response within five minutes or more', () => {
    expect(find({ minutes: 1 }, { minutes: 4 }, { minutes: 6 })).toBe(
      'No delivery has reached the verifier since 2026-11-21T09:54:00.000Z: 3 attempts, the last one got no response.',
    );
  });

  it('finds three attempts at once when one of them is a retry', () => {
    const same = { delivery_id: 'd-1' };
    expect(find({ minutes: 1, ...same }, { minutes: 2, ...same }, { minutes: 1 })).toMatch(/: 3 attempts/);
  });

  it('takes a hiccup of the network for none: many deliveries at one moment', () => {
    const deliveries = Array.from({ length: 40 }, (_, n) => ({ minutes: 2, delivery_id: `d-${n}` }));
    expect(find(...deliveries)).toBeUndefined();
  });

  it('finds responses of another server where the history does not show whether a retry is pending', () => {
    const wrong = { response_status: 404, retry_pending: null };
    expect(find({ minutes: 1, ...wrong }, { minutes: 4, ...wrong }, { minutes: 9, ...wrong })).toMatch(/^No/);
  });

  it('finds nothing in two attempts, however far apart', () => {
    expect(find({ minutes: 1 }, { minutes: 300 })).toBeUndefined();
  });

  it('finds nothing six hours after the last attempt', () => {
    expect(find({ minutes: 361 }, { minutes: 370 }, { minutes: 380 })).toBeUndefined();
    expect(find({ minutes: 360 }, { minutes: 370 }, { minutes: 380 })).toMatch(/^No delivery/);
  });

  it.each([200, 204, 301, 400, 401, 404, 405, 502, 504, 522])(
    'finds deliveries that another server responds to with %i',
    (response_status) => {
      const wrong = { response_status };
      expect(find({ minutes: 1, ...wrong }, { minutes: 4, ...wrong }, { minutes: 9, ...wrong })).toContain(
        `the last one got status ${response_status}, which is not ours.`,
      );
    },
  );

  it("finds API Gateway's 403 for a client certificate that it does not trust", () => {
    expect(find({ minutes: 1, ...forbidden }, { minutes: 4, ...forbidden }, { minutes: 9 })).toContain(
      'status 403, which is not ours',
    );
  });

  it.each(ours)('finds nothing once a delivery got our response %j', (reached) => {
    const before = [{ minutes: 5 }, { minutes: 12 }, { minutes: 20 }];
    expect(find(...before)).toMatch(/^No delivery/);
    expect(find({ minutes: 2, ...reached }, ...before)).toBeUndefined();
  });

  it('counts only the attempts after the last one that was reached, in whatever order they come', () => {
    const attempts = [{ minutes: 9 }, { minutes: 1 }, { minutes: 30, response_status: 202 }, { minutes: 40 }];
    expect(find(...attempts)).toBeUndefined();
    expect(find(...attempts, { minutes: 20 })).toMatch(/since 2026-11-21T09:40:00.000Z: 3 attempts/);
  });

  it('leaves out attempts without a time or an outcome', () => {
    const unreadable = [{ attempted_at: null }, { retry_pending: null }];
    expect(
      find({ minutes: 1 }, { minutes: 9 }, ...unreadable.map((one) => ({ minutes: 5, ...one }))),
    ).toBeUndefined();
    const one = { delivery_id: 'd-1' };
    const timeless = { minutes: 5, attempted_at: null };
    expect(find({ minutes: 1, ...one }, { minutes: 9, ...one }, { ...timeless, ...one })).toBeUndefined();
  });
});
