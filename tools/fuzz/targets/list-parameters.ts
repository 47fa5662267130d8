import assert from 'node:assert/strict';

import { gatewayEvent } from '../../../test/doubles/gateway-event.ts';
import { consumedTables, orderQueryOver } from '../../../test/doubles/order-query.ts';
import type { Target } from '../target.ts';
import { startTelemetry } from './telemetry.ts';

/** What API Gateway takes of a request line and headers. */
const gatewayHeaderBytesMax = 10_240;
const body = Buffer.from(
  JSON.stringify({
    ...{ id: 'evt-1', event_name: 'transaction.paid', sandbox: false },
    payload: { transaction: { id: 'T-1', order_id: 'order-1', amount: '1', currency: 'USD' } },
  }),
);
const at = '2026-11-21T10:00:00.000Z';
const cursor = Buffer.from(JSON.stringify([1, 'live', null, at, '', at, '', 0])).toString('base64url');
const names = [
  'updated_since',
  'updated_until',
  'status',
  'attention',
  'sort_order',
  'limit',
  'cursor',
  'mode',
];

/** `GET /orders` with any query string, over tables with one order. */
export async function createListParametersTarget(): Promise<Target> {
  const { reader } = await consumedTables({ body });
  const query = orderQueryOver({
    reader,
    now: () => Date.parse('2026-11-21T11:00:00.000Z'),
    telemetry: startTelemetry(),
  });
  return {
    name: 'list-parameters',
    async run(input) {
      const queryStringParameters = parametersOf(
        Buffer.from(input).subarray(0, gatewayHeaderBytesMax).toString('utf8'),
      );
      const response = await query(gatewayEvent({ routeKey: 'GET /orders', queryStringParameters }));
      const result = JSON.parse(response.body ?? '');
      if (response.statusCode === 200) {
        assert(Array.isArray(result.orders) && result.orders.length <= 1);
        return '200';
      }
      assert.equal(result.status, response.statusCode);
      assert.equal(response.headers?.['content-type'], 'application/problem+json');
      const isKnown = names.includes(result.parameter);
      return `${response.statusCode}: ${isKnown ? result.parameter : 'another parameter'}`;
    },
    outcomes: {
      '200': 'no parameter, or known ones with valid values; a limit above the maximum is capped',
      '400: updated_since': '`updated_since` is not ISO 8601 with a zone, or a day that is none',
      '400: updated_until': '`updated_until` is that, or does not go with the cursor or the order',
      '400: status': '`status` is none, or not that of the cursor',
      '400: attention': '`attention` is none, or not that of the cursor',
      '400: sort_order': '`sort_order` is neither `asc` nor `desc`, or not that of the cursor',
      '400: limit': '`limit` is 0, or no whole number of at most nine digits',
      '400: cursor': '`cursor` is not one that a response held',
      '400: mode': '`mode` is neither `live` nor `sandbox`, or not that of the cursor',
      '400: another parameter': 'a parameter that does not exist, such as `Limit`',
    },
    seeds: [
      '',
      'limit=10&mode=live&status=paid&attention=any&sort_order=desc',
      'updated_since=2026-11-21T10:00:00Z&updated_until=2026-11-22T10:00:00.000%2B01:00',
      `cursor=${cursor}`,
      'limit=0&limit=1',
      'status=PAID',
    ],
    words: [...names, '=', '&', '%', '+', 'sandbox', 'asc', '2026-02-30T00:00:00Z', '999999999', '-1', '1e3'],
  };
}

/** As API Gateway passes them: decoded, and the values of a repeated name joined by commas. */
function parametersOf(text: string): Record<string, string> {
  const given = Map.groupBy(new URLSearchParams(text), ([name]) => name);
  return Object.fromEntries(
    [...given].map(([name, values]) => [name, values.map(([, value]) => value).join(',')]),
  );
}
