import type { BusEvent } from '@payhooks/cdk-local';
import { openEventLog } from '@payhooks/cdk-local/emulators';
import { expect, it, onTestFinished } from 'vitest';
import { createOrderMessages } from '../../../local/feed/order-messages.ts';

const change = (order_id: string, sequence: number, fields: object = {}) => ({
  ...{ id: `change-${sequence}`, order_id, mode: 'live', sequence, transactions: [], caused_by: [] },
  ...{ previous: { status: 'pending', attention: [] }, current: { status: 'paid', attention: [] } },
  ...{ updated_at: `2026-11-22T09:00:0${sequence}.000Z`, ...fields },
});

const event = (detail: object, source = 'payhooks'): BusEvent => ({
  ...{ version: '0', id: crypto.randomUUID(), 'detail-type': 'OrderStatusChanged', source },
  ...{ account: '000000000000', time: '2026-11-22T09:00:00Z', region: 'us-east-1', resources: [], detail },
});

it('shows what the bus has of an order in its mode, oldest first, whatever characters the id has', () => {
  const odd = 'a"\\ %\u202e😀\n{}';
  const log = openEventLog();
  onTestFinished(() => log.close());
  log.append([
    event(change(odd, 1, { previous: null })),
    event(change('other', 2, { caused_by: [{ id: odd, event_name: null }] })),
    event(change(odd, 3)),
    event(change(odd, 4), 'payhooks.sandbox'),
  ]);
  const messages = (mode: string) => createOrderMessages(log)(new URLSearchParams({ order_id: odd, mode }));
  expect(messages('live')).toEqual([
    {
      ...{ id: 'change-1', at: '2026-11-22T09:00:01.000Z', sequence: 1 },
      ...{ previous_status: null, status: 'paid' },
    },
    expect.objectContaining({ id: 'change-3', previous_status: 'pending' }),
  ]);
  expect(messages('sandbox')).toMatchObject([{ id: 'change-4' }]);
});
