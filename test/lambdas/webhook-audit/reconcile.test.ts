import { execFileSync } from 'node:child_process';
import type { DeliveryAttempt } from '@payhooks/payment-service';
import { describe, expect, it } from 'vitest';
import { attemptTime, readDeliveries, reconcile } from '../../../lambdas/webhook-audit/reconcile.ts';

const at = (minute: number) => `2026-11-21 10:${String(minute).padStart(2, '0')}:00`;
const timeOf = (minute: number) => Date.UTC(2026, 10, 21, 10, minute);

/** An attempt of the delivery d-1 of the event e-1 that got no response and is tried again. */
const attempt = (change: Partial<DeliveryAttempt> = {}): DeliveryAttempt => ({
  delivery_id: 'd-1',
  event_id: 'e-1',
  event_name: 'transaction.paid',
  attempt: 1,
  attempted_at: at(0),
  response_status: null,
  response_body: null,
  retry_pending: true,
  record: {},
  ...change,
});
const states = (...attempts: DeliveryAttempt[]) =>
  readDeliveries(attempts, 'live').events.map(({ eventId, state }) => `${eventId} ${state}`);

describe('readDeliveries', () => {
  it('calls an event delivered at the first attempt that got 2xx, however it goes on', () => {
    const attempts = [
      attempt({ response_status: 503, retry_pending: false }),
      attempt({ attempt: 2, attempted_at: at(1), response_status: 204, retry_pending: false }),
      attempt({ delivery_id: 'd-2', attempted_at: at(5), response_status: 500, retry_pending: true }),
    ];
    const { events } = readDeliveries(attempts.toReversed(), 'sandbox');
    expect(events).toEqual([
      {
        mode: 'sandbox',
        eventId: 'e-1',
        eventName: 'transaction.paid',
        state: 'delivered',
        at: timeOf(1),
        status: 204,
        attempts: 3,
      },
    ]);
  });

  it('takes whether a retry is pending from the latest attempt of each delivery', () => {
    const failed = attempt({ response_status: 503, retry_pending: false });
    const retried = attempt({ attempt: 2, attempted_at: at(1), response_status: 503, retry_pending: true });
    expect(states(failed, retried)).toEqual(['e-1 retrying']);
    expect(states(retried, attempt({ ...retried, attempt: 3, retry_pending: false }))).toEqual([
      'e-1 given_up',
    ]);
    expect(states(attempt({ ...retried, attempt: 3, retry_pending: false }), retried)).toEqual([
      'e-1 given_up',
    ]);
    const later = attempt({ ...retried, attempted_at: at(2), attempt: 1, retry_pending: false });
    expect(states(later, retried)).toEqual(['e-1 given_up']);
    const other = attempt({ delivery_id: 'd-2', attempted_at: at(2), retry_pending: true });
    expect(states(failed, other)).toEqual(['e-1 retrying']);
    expect(states(other, attempt({ ...failed, attempted_at: at(3) }))).toEqual(['e-1 retrying']);
  });

  it('takes attempts with an empty delivery id and without one for one delivery', () => {
    const given = { response_status: 503, retry_pending: false, attempted_at: at(1) };
    expect(states(attempt({ delivery_id: '' }), attempt({ ...given, delivery_id: null }))).toEqual([
      'e-1 given_up',
    ]);
  });

  it('takes no redirect and no refusal for a delivery', () => {
    const stateAfter = (response_status: number) =>
      readDeliveries([attempt({ response_status, retry_pending: false })], 'live').events[0]?.state;
    expect([199, 300, 302, 403, 404].map(stateAfter)).toEqual(Array(5).fill('given_up'));
    expect([200, 202, 299].map(stateAfter)).toEqual(Array(3).fill('delivered'));
  });

  it('counts the attempts before those that the history still holds', () => {
    expect(readDeliveries([attempt({ attempt: 4 })], 'live').events).toMatchObject([{ attempts: 4 }]);
  });

  it('reads a time without a zone as UTC, whatever the zone of the machine', () => {
    const unzoned = ['2026-11-21 10:00:00', '2026-11-21T10:00:00', '2026-11-21 10:00:00.000000'];
    const times = [...unzoned, '2026-11-21 10:00:00+02:00', '2026-11-21T10:00:00-03:00'];
    const script =
      "import { attemptTime } from './lambdas/webhook-audit/reconcile.ts';" +
      `console.log(JSON.stringify(${JSON.stringify(times)}.map((attempted_at) => attemptTime({ attempted_at }))));`;
    const options = ['--conditions=payhooks-source', '--input-type=module', '-e', script];
    const env = { ...process.env, TZ: 'Pacific/Auckland' };
    const printed = execFileSync(process.execPath, options, { env, encoding: 'utf8' });
    const hour = 60;
    const expected = [...unzoned.map(() => timeOf(0)), timeOf(-2 * hour), timeOf(3 * hour)];
    expect(JSON.parse(printed)).toEqual(expected);
    expect(times.map((attempted_at) => attemptTime(attempt({ attempted_at })))).toEqual(expected);
  });

  it('calls nothing given up while the history does not show whether a retry is pending', () => {
    expect(states(attempt({ response_status: 503, retry_pending: null }))).toEqual(['e-1 retrying']);
  });

  it('counts attempts that it cannot read', () => {
    const { events, unreadable } = readDeliveries(
      [
        attempt({ event_id: null }),
        attempt({ attempted_at: 'yesterday' }),
        attempt({ response_status: null, retry_pending: null }),
        attempt(),
      ],
      'live',
    );
    expect([events.length, unreadable.length]).toEqual([1, 3]);
  });
});

describe('reconcile', () => {
  const delivered = (id: string, minute: number) =>
    attempt({ event_id: id, attempted_at: at(minute), response_status: 202, retry_pending: false });
  const givenUp = (id: string) => attempt({ event_id: id, response_status: 503, retry_pending: false });

  async function judge(attempts: readonly DeliveryAttempt[], stored: readonly string[]) {
    const lookedUp: string[] = [];
    const progress: string[] = [];
    const { events } = readDeliveries(attempts, 'live');
    const judged = await reconcile(events, {
      acknowledgedUntil: timeOf(30),
      async isStored(mode, eventId) {
        lookedUp.push(`${mode} ${eventId}`);
        return stored.includes(eventId);
      },
      onProgress: (done, of) => progress.push(`${done}/${of}`),
    });
    const ids = (some: typeof judged.missing) => some.map(({ eventId }) => eventId);
    const found = { missing: ids(judged.missing), givenUp: ids(judged.givenUp), stored: judged.stored };
    return { lookedUp, progress, ...found };
  }

  it('finds what was acknowledged and is not stored', async () => {
    const attempts = [delivered('here', 1), delivered('lost', 2)];
    expect(await judge(attempts, ['here'])).toEqual({
      lookedUp: ['live here', 'live lost'],
      progress: ['2/2'],
      missing: ['lost'],
      givenUp: [],
      stored: 1,
    });
  });

  it('does not judge what was acknowledged so recently that it may be in the queue', async () => {
    expect(await judge([delivered('due', 30), delivered('recent', 31)], [])).toMatchObject({
      lookedUp: ['live due'],
      missing: ['due'],
    });
  });

  it('finds what the service has given up on, unless it is stored because only our response was lost', async () => {
    expect(await judge([givenUp('stored'), givenUp('lost')], ['stored'])).toMatchObject({
      givenUp: ['lost'],
      missing: [],
      stored: 1,
    });
  });

  it('does not look up what is still retried', async () => {
    expect(await judge([attempt()], [])).toMatchObject({ lookedUp: [], missing: [], givenUp: [] });
  });

  it('ends when its time is up', async () => {
    const { events } = readDeliveries([delivered('e-1', 1)], 'live');
    const judging = { acknowledgedUntil: timeOf(30), isStored: async () => true };
    const signal = AbortSignal.abort(new Error('time is up'));
    await expect(reconcile(events, { ...judging, signal })).rejects.toThrow('time is up');
  });

  it('looks up more events than it can at a time', async () => {
    const attempts = Array.from({ length: 20 }, (_, n) => delivered(`e-${n}`, 1));
    const { missing, lookedUp, progress } = await judge(attempts, ['e-3']);
    expect([missing.length, lookedUp.length, missing.includes('e-3')]).toEqual([19, 20, false]);
    expect(progress).toEqual(['10/20', '20/20']);
  });
});
