import { listOrdersDefault, listOrdersMax } from '../contract/limits.ts';
import { type OrderStatus, orderStatuses } from '../domain/fold-order.ts';
import type { Mode } from '../domain/signature.ts';
import {
  ParameterError,
  type Parameters,
  readCursor,
  readLimit,
  readMode,
  readTime,
} from '../http-api/parameters.ts';
import { type Cursor, decodeCursor } from './cursor.ts';

/** The parameters of `GET /orders`. */
export interface ListRequest {
  readonly mode: Mode;
  readonly status: OrderStatus | undefined;
  readonly limit: number;
  /** ISO 8601 UTC with milliseconds, inclusive. */
  readonly updatedSince: string;
  readonly cursor: Cursor | undefined;
}

/** Throws ParameterError. */
export function readListRequest(parameters: Parameters): ListRequest {
  const cursor = readCursor(parameters, decodeCursor);
  const mode = parameters['mode'] === undefined && cursor !== undefined ? cursor.mode : readMode(parameters);
  const status = parameters['status'] === undefined ? cursor?.status : readStatus(parameters['status']);
  if (cursor !== undefined && mode !== cursor.mode) {
    throw new ParameterError('mode', mode, `${cursor.mode}, the mode of the cursor`);
  }
  if (cursor !== undefined && status !== cursor.status) {
    throw new ParameterError('status', status ?? '', `${cursor.status ?? 'none'}, the status of the cursor`);
  }
  return {
    mode,
    status,
    limit: readLimit(parameters, { byDefault: listOrdersDefault, max: listOrdersMax }),
    updatedSince: readTime(parameters, 'updated_since') ?? new Date(0).toISOString(),
    cursor,
  };
}

function readStatus(given: string): OrderStatus {
  const status = orderStatuses.find((one) => one === given);
  if (status === undefined) throw new ParameterError('status', given, `one of ${orderStatuses.join(', ')}`);
  return status;
}
