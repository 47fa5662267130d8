import { expect, it } from 'vitest';
import { createPaymentServiceClient, privateKeyAuthentication } from '../../src/client/index.ts';
import { runSimulator } from '../simulator/running-simulator.ts';

const registration = { url: 'https://shop.example/', enabled_events: ['transaction.paid'] };

it('4.2, 4.3, 4.1, 4.4 create, update, list and delete a webhook of the simulator', async () => {
  const { baseUrl } = await runSimulator({ clock: () => Date.UTC(2026, 10, 2, 9, 0, 0) });
  const authentication = privateKeyAuthentication('pri_live');
  const client = createPaymentServiceClient({ baseUrl, authentication });
  const created = await client.createWebhook(registration);
  const created_at = '2026-11-02 09:00:00';
  expect(created).toMatchObject({ object: 'v2.webhook', is_live_mode: true, created_at, ...registration });
  const change = { url: 'https://shop.example/two', enabled_events: ['transaction.refunded'] };
  const record = { ...created.record, ...change, enabled_events: '["transaction.refunded"]' };
  const changed = { ...created, ...change, record };
  expect(await client.updateWebhook(created.id, change)).toEqual(changed);
  const pagination = { current_page: 1, per_page: 50, total: 1, last_page: 1 };
  const listed = await client.listWebhooks({
    sort_field: 'created_at',
    sort_order: 'asc',
    page: 1,
    limit: 50,
  });
  expect(listed).toEqual({ object: 'v2.webhook', data: [changed], unreadable: [], pagination });
  await client.deleteWebhook(created.id);
  expect((await client.listWebhooks()).data).toEqual([]);
  await expect(client.deleteWebhook(created.id)).rejects.toMatchObject({ status: 404 });
});
