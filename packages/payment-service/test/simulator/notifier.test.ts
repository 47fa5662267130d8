import { expect, it } from 'vitest';
import { createNotifier } from '../../src/simulator/delivery/notifier.ts';
import { noRetries } from '../../src/simulator/index.ts';

it('the latest 1,000 deliveries are recorded', async () => {
  const fetch = async () => new Response();
  const { notify, misbehave, records } = createNotifier({ fetch, schedule: noRetries });
  const webhook = {
    ...{ object: 'v2.webhook', id: 'w', url: 'https://shop.example/' },
    ...{ is_live_mode: true, enabled_events: '["a.b"]', created_at: '2026-11-02 09:15:00' },
  };
  const send = (eventId: string) =>
    notify({ webhook, eventId, eventName: 'a.b', body: Buffer.from('{}'), privateKey: 'pri_live' });
  await send('e1');
  misbehave([{ kind: 'duplicate', copies: 999 }]);
  await send('e2');
  expect(records().map(({ eventId }) => eventId)).toEqual(Array(1_000).fill('e2'));
});
