import { expect, it } from 'vitest';
import type { RepairStore } from '../../../lambdas/ports/stores.ts';
import { sent } from '../../doubles/event-body.ts';
import { gatewayEvent } from '../../doubles/gateway-event.ts';
import { operationsOver, operatorAfter, reason } from '../../doubles/operations.ts';

const doubted = sent({ id: 'doubted', order: 'A', sandbox: true });

it.each<[string, Partial<RepairStore>, string]>([
  [
    'touches too many rows for one transaction',
    { commit: async () => ({ kind: 'too_large' }) },
    'It touches more rows than a transaction of DynamoDB takes (100 rows, 4 MB). Resolve its orders by hand.',
  ],
  [
    'has a row that is damaged, or of a newer version',
    { bodiesOf: async () => ({ kind: 'unreadable' }) },
    'This version cannot read a row of it. Deploy the version that wrote it, or restore the row.',
  ],
])(
  'an act on what cannot be handled gets 409 with what to do, and changes nothing when the event %s',
  async (_, changed, sentence) => {
    const { tables, everything, settings } = await operatorAfter([doubted]);
    const before = everything();
    const store = { ...tables.open().store, ...changed };
    const api = operationsOver(tables, { ...settings, store });
    const request = JSON.stringify({ event_id: 'doubted', reason });
    const response = await api(gatewayEvent({ routeKey: 'POST /operations/admit', body: request }));
    const { status, detail } = JSON.parse(response.body ?? '');
    expect({ status, detail }).toEqual({
      status: 409,
      detail: `The event "doubted" stays as it is. ${sentence}`,
    });
    expect(everything()).toBe(before);
  },
);
