import type { DeliveryAttempt } from '@payhooks/payment-service';
import { describe, expect, it } from 'vitest';
import { readHistory } from '../../../lambdas/webhook-audit/history.ts';
import { deliveredEvents, reconcile } from '../../../lambdas/webhook-audit/reconcile.ts';
import { attempt, clientOf, liveWebhook, sandboxWebhook } from '../../doubles/delivery-history.ts';

const at = (minute: number) => `2026-11-21 10:${String(minute).padStart(2, '0')}:00`;
const timeOf = (minute: number) => Date.UTC(2026, 10, 21, 10, minute);

async function eventsOf(attempts: readonly DeliveryAttempt[], webhooks = [liveWebhook]) {
  const window = { since: 0, until: timeOf(60), pagesMax: 1 };
  const newestFirst = attempts.toSorted((a, b) => (String(a.attempted_at) < String(b.attempted_at) ? 1 : -1));
  return deliveredEvents((await readHistory(clientOf(newestFirst).client, webhooks, window)).attempts);
}
const statesOf = async (...attempts: DeliveryAttempt[]) =>
  (await eventsOf(attempts)).map(({ eventId, state }) => `${eventId} ${state}`);

describe('deliveredEvents', () => {
  it('calls an event delivered at the first attempt that got 2xx, however it goes on', async () => {
    const attempts = [
      attempt({ response_status: 503, retry_pending: false }),
      attempt({ attempt: 2, attempted_at: at(1), response_status: 204, retry_pending: false }),
      attempt({ delivery_id: 'd-2', attempted_at: at(5), response_status: 500, retry_pending: true }),
    ];
    const delivered = { state: 'delivered', at: timeOf(1), status: 204, attempts: 3 };
    expect(await eventsOf(attempts, [sandboxWebhook])).toEqual([
      { mode: 'sandbox', eventId: 'e-1', eventName: 'transaction.paid', ...delivered },
    ]);
  });

  const failed = attempt({ response_status: 503, retry_pending: false });
  const retried = attempt({ attempt: 2, attempted_at: at(1), response_status: 503, retry_pending: true });
  it.each([
    ['the latest attempt, which a retry follows', [failed, retried], 'retrying'],
    [
      'the latest of two at one time',
      [retried, { ...retried, attempt: 3, retry_pending: false }],
      'given_up',
    ],
    ['the later one, whatever its number', [retried, { ...failed, attempted_at: at(2) }], 'given_up'],
    [
      'each delivery',
      [failed, attempt({ delivery_id: 'd-2' }), { ...failed, attempted_at: at(3) }],
      'retrying',
    ],
    [
      'one delivery, where the id of the delivery is not shown',
      [attempt({ delivery_id: '' }), { ...failed, attempted_at: at(1), delivery_id: null }],
      'given_up',
    ],
    ['nothing, where the history does not show it', [{ ...failed, retry_pending: null }], 'retrying'],
  ])('takes whether a retry is pending from %s', async (_, attempts, state) => {
    expect(await statesOf(...attempts)).toEqual([`e-1 ${state}`]);
    expect(await statesOf(...attempts.toReversed())).toEqual([`e-1 ${state}`]);
  });

  it('takes no redirect and no refusal for a delivery', async () => {
    const statuses = [199, 300, 302, 403, 404, 200, 202, 299];
    const attempts = statuses.map((response_status, n) => ({ ...failed, event_id: `${n}`, response_status }));
    const states = (await eventsOf(attempts)).toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1));
    expect(states.map(({ state }) => state)).toEqual([
      ...Array(5).fill('given_up'),
      ...Array(3).fill('delivered'),
    ]);
  });

  it('counts the attempts before those that the history still holds', async () => {
    expect(await eventsOf([attempt({ attempt: 4 })])).toMatchObject([{ attempts: 4 }]);
  });

  it('calls an event delivered that reached one of two registrations', async () => {
    const delivered = { ...failed, delivery_id: 'd-2', response_status: 202 };
    expect(await statesOf(delivered, { ...failed, attempted_at: at(1) })).toEqual(['e-1 delivered']);
  });
});

describe('reconcile', () => {
  const delivered = (id: string, minute: number) =>
    attempt({ event_id: id, attempted_at: at(minute), response_status: 202, retry_pending: false });
  const givenUp = (id: string) => attempt({ event_id: id, response_status: 503, retry_pending: false });

  async function judge(
    attempts: readonly DeliveryAttempt[],
    stored: readonly string[],
    signal = new AbortController().signal,
  ) {
    const lookedUp: string[] = [];
    const progress: string[] = [];
    const judged = await reconcile(await eventsOf(attempts), {
      acknowledgedUntil: timeOf(30),
      async isStored(mode, eventId) {
        lookedUp.push(`${mode} ${eventId}`);
        return stored.includes(eventId);
      },
      signal,
      onProgress: (done, of) => progress.push(`${done}/${of}`),
    });
    const ids = (some: typeof judged.missing) => some.map(({ eventId }) => eventId);
    const found = { missing: ids(judged.missing), givenUp: ids(judged.givenUp), stored: judged.stored };
    return { lookedUp: lookedUp.toSorted(), progress, ...found };
  }

  it('finds what was acknowledged and is not stored, unless it may still be in the queue', async () => {
    const attempts = [delivered('here', 1), delivered('lost', 30), delivered('recent', 31)];
    expect(await judge(attempts, ['here'])).toEqual({
      lookedUp: ['live here', 'live lost'],
      progress: ['2/2'],
      missing: ['lost'],
      givenUp: [],
      stored: 1,
    });
  });

  it('finds what the service has given up on, unless it is stored because only our response was lost', async () => {
    const attempts = [givenUp('stored'), givenUp('lost'), attempt({ event_id: 'retried' })];
    expect(await judge(attempts, ['stored'])).toMatchObject({
      lookedUp: ['live lost', 'live stored'],
      givenUp: ['lost'],
      missing: [],
      stored: 1,
    });
  });

  it('ends when its time is up', async () => {
    const signal = AbortSignal.abort(new Error('time is up'));
    await expect(judge([delivered('e-1', 1)], [], signal)).rejects.toThrow('time is up');
  });

  it('looks up more events than it can at a time', async () => {
    const attempts = Array.from({ length: 20 }, (_, n) => delivered(`e-${n}`, 1));
    const { missing, lookedUp, progress } = await judge(attempts, ['e-3']);
    expect([missing.length, lookedUp.length, missing.includes('e-3')]).toEqual([19, 20, false]);
    expect(progress).toEqual(['10/20', '20/20']);
  });
});
