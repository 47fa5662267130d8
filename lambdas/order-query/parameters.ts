import { listOrdersDefault, listOrdersMax } from '../contract/limits.ts';
import { orderStatuses } from '../domain/fold-order.ts';
import { type Parameters, readCursor, readLimit, readTime, wrongParameter } from '../http-api/parameters.ts';
import { attentionFilters, type Cursor, decodeCursor, type ListFilter } from './cursor.ts';
import { type SortOrder, sortOrders } from './walk.ts';

/** The parameters of `GET /orders`. */
export interface ListRequest extends ListFilter {
  readonly sortOrder: SortOrder;
  readonly limit: number;
  /** ISO 8601 UTC with milliseconds, inclusive. */
  readonly updatedSince: string;
  /** The same, exclusive. */
  readonly updatedUntil: string | undefined;
  readonly cursor: Cursor | undefined;
}

/** Throws ProblemError. */
export function readListRequest(parameters: Parameters): ListRequest {
  const cursor = readCursor(parameters, decodeCursor);
  /** A cursor keeps these parameters: a repetition of one is fine, another value is not. */
  const kept = <Value extends string>(name: string, values: readonly Value[], held: Value | undefined) => {
    const given = readOneOf(parameters, name, values);
    if (cursor === undefined || given === undefined || given === held) return given ?? held;
    throw wrongParameter(name, given, `${held ?? 'none'}, the ${name} of the cursor`);
  };
  return {
    mode: kept('mode', ['live', 'sandbox'], cursor?.mode) ?? 'live',
    status: kept('status', orderStatuses, cursor?.status),
    attention: kept('attention', attentionFilters, cursor?.attention),
    sortOrder: kept('sort_order', sortOrders, cursor?.sortOrder) ?? 'asc',
    limit: readLimit(parameters, { byDefault: listOrdersDefault, max: listOrdersMax }),
    updatedSince: readTime(parameters, 'updated_since') ?? new Date(0).toISOString(),
    updatedUntil: readTime(parameters, 'updated_until'),
    cursor,
  };
}

/** "live or sandbox", "one of a, b, c". */
const choiceOf = (values: readonly string[]): string =>
  values.length === 2 ? values.join(' or ') : `one of ${values.join(', ')}`;

function readOneOf<Value extends string>(
  parameters: Parameters,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const given = parameters[name];
  const value = values.find((one) => one === given);
  if (given === undefined || value !== undefined) return value;
  throw wrongParameter(name, given, choiceOf(values));
}
