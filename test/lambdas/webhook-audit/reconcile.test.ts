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

const failed = attempt({ response_status: 503, retry_pending: false });

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
});

it('reconcile looks up what was acknowledged in time or given up, ten events at a time', async () => {
  const acknowledged = { ...failed, response_status: 202 };
  const attempts = [
    ...Array.from({ length: 10 }, (_, n) => ({ ...acknowledged, event_id: `${n}`, attempted_at: at(30) })),
    ...['stored', 'lost'].map((event_id) => ({ ...failed, event_id })),
    { ...acknowledged, event_id: 'recent', attempted_at: at(31) },
    attempt({ event_id: 'retried' }),
  ];
  const progress: string[] = [];
  const { missing, givenUp, stored } = await reconcile(await eventsOf(attempts), {
    acknowledgedUntil: timeOf(30),
    isStored: async (mode, eventId) => mode === 'live' && (eventId === 'stored' || eventId < '9'),
    onProgress: (done, of) => progress.push(`${done}/${of}`),
  });
  const ids = [missing, givenUp].map((events) => events.map(({ eventId }) => eventId));
  expect([ids, stored]).toEqual([[['9'], ['lost']], 10]);
  expect(progress).toEqual(['10/12', '12/12']);
});
