import {
  changesSettleSeconds,
  cursorCharactersMax,
  eventIdBytesMax,
  listOrdersDefault,
  listOrdersMax,
  orderIdBytesMax,
} from '../../lambdas/contract/limits.ts';
import { orderStatuses } from '../../lambdas/domain/fold-order.ts';
import { modes } from './meanings.ts';
import type { Schema } from './schema-parts.ts';

const query = (name: string, description: string, schema: Schema): Schema => ({
  name,
  in: 'query',
  description,
  schema,
});

const path = (name: string, description: string, example: string): Schema => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string', minLength: 1 },
  example,
});

export const parameters: Readonly<Record<string, Schema>> = {
  order_id: path(
    'order_id',
    `The merchant’s own id of the order, percent-encoded: any text of up to ${orderIdBytesMax} bytes in ` +
      'UTF-8. The ids `.` and `..` cannot be asked for, since URLs treat them as steps in a path. API ' +
      'Gateway is reported to decode a path before it matches a route; an id with `/` in it may then not ' +
      'be found here, and is found in the list.',
    'order-1001',
  ),
  event_id: path(
    'event_id',
    `The id inside the signed body, percent-encoded: any text of up to ${eventIdBytesMax} bytes in UTF-8.`,
    '0d2f6a4e-5f0c-4c6e-9a55-0c1f6f2f7a11',
  ),
  mode: query('mode', 'Live money or the sandbox. With a cursor: that of the cursor, or left out.', {
    type: 'string',
    enum: Object.keys(modes),
    default: 'live',
  }),
  updated_since: query(
    'updated_since',
    'Orders that changed at this time or later: ISO 8601 with a zone. Without it, all of them. ' +
      'Ignored beside a cursor.',
    { type: 'string', format: 'date-time', examples: ['2026-11-21T10:00:00Z'] },
  ),
  status: query(
    'status',
    'Orders that have this status by now. A page may then be short or empty and still have a ' +
      '`next_cursor`. With a cursor: that of the cursor, or left out.',
    { type: 'string', enum: orderStatuses },
  ),
  limit: query(
    'limit',
    `Orders in one answer. More than ${listOrdersMax} counts as ${listOrdersMax}. ` +
      'A page may hold fewer and still have a `next_cursor`.',
    { type: 'integer', minimum: 1, maximum: listOrdersMax, default: listOrdersDefault },
  ),
  cursor: query(
    'cursor',
    'A `next_cursor` of an earlier answer, unchanged; it has no age at which it ends. Used later than ' +
      `${changesSettleSeconds} seconds after its walk began, it goes back to where the index had settled.`,
    { type: 'string', minLength: 1, maxLength: cursorCharactersMax, pattern: '^[A-Za-z0-9_-]+$' },
  ),
};
