import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createNotifier, type NotifierOptions } from '../../src/simulator/delivery/notifier.ts';
import { noRetries } from '../../src/simulator/index.ts';
import { anHour } from './running-simulator.ts';

/** A notifier over a given transport, in place of HTTP. */
function start(fetch: () => Promise<Response>, options: NotifierOptions = {}) {
  const notifier = createNotifier({ fetch, schedule: noRetries, ...options });
  function notify(eventId: string, webhookId = 'w') {
    const webhook = {
      ...{ object: 'v2.webhook', id: webhookId, url: 'https://shop.example/' },
      ...{ is_live_mode: true, enabled_events: '["a.b"]', created_at: '2026-11-02 09:15:00' },
    };
    const body = Buffer.from('{}');
    return notifier.notify({ webhook, eventId, eventName: 'a.b', body, privateKey: 'pri_live' });
  }
  const states = () => notifier.records().map(({ delivery: { state } }) => state);
  return { ...notifier, notify, states };
}

const accept = async () => new Response();

it('a notification is recorded at once, and each attempt is reported', async () => {
  const attempts: number[] = [];
  const { notify, states } = start(accept, { onAttempt: ({ number }) => attempts.push(number) });
  const notified = notify('e1');
  expect(states()).toEqual(['pending']);
  await setImmediate();
  expect([states(), attempts]).toEqual([['delivered'], [1]]);
  await notified;
});

it('the latest 1,000 deliveries are recorded', async () => {
  const { notify, misbehave, records } = start(accept);
  await notify('e1');
  misbehave([{ kind: 'duplicate', copies: 999 }]);
  await notify('e2');
  expect(records().map(({ eventId }) => eventId)).toEqual(Array(1_000).fill('e2'));
});

it('a stop waits for the end of an attempt', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const { notify, stop, states } = start(() => promise);
  void notify('e1');
  let isStopped = false;
  const stopped = stop().then(() => {
    isStopped = true;
  });
  await setImmediate();
  expect(isStopped).toBe(false);
  resolve(new Response());
  await stopped;
  expect(states()).toEqual(['delivered']);
});

it('a webhook that is cancelled ends its own deliveries', async () => {
  const schedule = { ...noRetries, pausesMilliseconds: [anHour] };
  const { notify, cancel, stop, states } = start(async () => new Response('', { status: 503 }), { schedule });
  void notify('e1', 'other');
  const notified = notify('e2');
  await setImmediate();
  cancel('w');
  await setImmediate();
  expect(states()).toEqual(['pending', 'stopped']);
  await notified;
  await stop();
});
