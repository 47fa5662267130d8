import { UnexpectedEventError } from './errors.ts';
import type { Attention, Mode, OrderStatus, Transaction } from './openapi-types.ts';

/** Status and attention, as an `Order` has them, too. */
export interface OrderCondition {
  readonly status: OrderStatus;
  readonly attention: readonly Attention[];
}

/** The detail of an event of the order feed; `order-status-changed.schema.json` is its schema. */
export interface OrderStatusChanged {
  /** The same for every copy of this change, and of no other. */
  readonly id: string;
  readonly order_id: string;
  readonly mode: Mode;
  /** Drop an event that is not above the last one used of the order. */
  readonly sequence: number;
  /** `null` for a new order. It explains: decide by `current`. */
  readonly previous: OrderCondition | null;
  readonly current: OrderCondition;
  /** `null` when they do not fit into an event: the order query has them. */
  readonly transactions: readonly Transaction[] | null;
  readonly caused_by: readonly { readonly id: string; readonly event_name: string | null }[];
  readonly updated_at: string;
}

/** Whether the money is there and nobody must look first. It does not compare the amount with your price. */
export const isDeliverable = ({ status, attention }: OrderCondition): boolean =>
  status === 'paid' && attention.length === 0;

/**
 * Reads an event of EventBridge, or its JSON text, such as the body of an SQS message or the data of local
 * mode's `/feed`. Throws UnexpectedEventError for anything else than an OrderStatusChanged.
 */
export function parseOrderChange(event: unknown): OrderStatusChanged {
  const { 'detail-type': detailType, detail } = fieldsOf(typeof event === 'string' ? parse(event) : event);
  if (detailType !== 'OrderStatusChanged') {
    const given = typeof detailType === 'string' ? JSON.stringify(detailType) : 'missing';
    throw new UnexpectedEventError(`The detail-type is ${given}; expected "OrderStatusChanged".`);
  }
  const fields = fieldsOf(detail);
  const current = fieldsOf(fields['current']);
  const isValid: Readonly<Record<string, boolean>> = {
    id: isText(fields['id']),
    order_id: isText(fields['order_id']),
    mode: fields['mode'] === 'live' || fields['mode'] === 'sandbox',
    sequence: Number.isSafeInteger(fields['sequence']),
    previous: typeof fields['previous'] === 'object',
    current: isText(current['status']) && Array.isArray(current['attention']),
    transactions: fields['transactions'] === null || Array.isArray(fields['transactions']),
    caused_by: Array.isArray(fields['caused_by']),
    updated_at: isText(fields['updated_at']),
  };
  const wrong = Object.keys(isValid).filter((name) => !isValid[name]);
  if (wrong.length === 0) return detail as OrderStatusChanged;
  throw new UnexpectedEventError(
    `The detail has wrong or missing fields: ${wrong.join(', ')}. See order-status-changed.schema.json.`,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnexpectedEventError('The event is not JSON; expected an event of EventBridge.', { cause });
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
