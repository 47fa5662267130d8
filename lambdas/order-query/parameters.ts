import { listOrdersDefault, listOrdersMax } from '../contract/limits.ts';
import { type OrderStatus, orderStatuses } from '../domain/fold-order.ts';
import type { Mode } from '../domain/signature.ts';
import { type Cursor, decodeCursor } from './cursor.ts';
import { readInstant } from './instant.ts';

export type Parameters = Readonly<Record<string, string | undefined>>;

/** A wrong parameter: the message names it, what was given and what is expected. */
export class ParameterError extends Error {
  override readonly name = 'ParameterError';
  readonly parameter: string;
  constructor(parameter: string, given: string, expected: string) {
    super(`The parameter ${parameter} is ${JSON.stringify(given)}; expected ${expected}.`);
    this.parameter = parameter;
  }
}

export function readMode({ mode = 'live' }: Parameters): Mode {
  if (mode === 'live' || mode === 'sandbox') return mode;
  throw new ParameterError('mode', mode, 'live or sandbox');
}

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
  const cursor = readCursor(parameters['cursor']);
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
    limit: readLimit(parameters['limit']),
    updatedSince: readTime(parameters['updated_since']),
    cursor,
  };
}

/** Refuses an unknown parameter: a typo must not silently change the request. */
export function refuseUnknown(parameters: Parameters, known: readonly string[]): void {
  for (const [name, given] of Object.entries(parameters)) {
    if (known.includes(name)) continue;
    const expected = known.length === 0 ? 'no parameters' : `one of the parameters ${known.join(', ')}`;
    throw new ParameterError(name, given ?? '', expected);
  }
}

function readStatus(given: string): OrderStatus {
  const status = orderStatuses.find((one) => one === given);
  if (status === undefined) throw new ParameterError('status', given, `one of ${orderStatuses.join(', ')}`);
  return status;
}

/** Caps a limit above the maximum, as list APIs do; refuses zero and anything that is not a whole number. */
function readLimit(given: string | undefined): number {
  if (given === undefined) return listOrdersDefault;
  if (!/^\d{1,9}$/.test(given) || Number(given) === 0) {
    throw new ParameterError('limit', given, `a whole number from 1 to ${listOrdersMax}`);
  }
  return Math.min(Number(given), listOrdersMax);
}

function readTime(given: string | undefined): string {
  if (given === undefined) return new Date(0).toISOString();
  const instant = readInstant(given);
  if (instant !== undefined) return instant;
  const expected = 'a time in ISO 8601 with a zone, such as 2026-11-21T10:00:00Z';
  throw new ParameterError('updated_since', given, expected);
}

function readCursor(given: string | undefined): Cursor | undefined {
  if (given === undefined) return undefined;
  const cursor = decodeCursor(given);
  if (cursor === undefined)
    throw new ParameterError('cursor', given, 'the unchanged next_cursor of an earlier response');
  return cursor;
}
