import { createHash } from 'node:crypto';
import { orderKey } from '../contract/schema.ts';
import { parseFact } from '../domain/fact.ts';
import { foldOrder, type OrderState } from '../domain/fold-order.ts';
import type { OrderRef } from '../ports/rows.ts';
import type { Cause, OrderCondition, OrderStatusChanged } from './order-status-changed.ts';

/** What changed an order's row, as the facts before and after it. */
export interface OrderWrite {
  readonly order: OrderRef;
  /** `undefined` when the write created the row. */
  readonly before: readonly string[] | undefined;
  readonly after: readonly string[];
  /** As readers see it. */
  readonly sequence: number;
  /** An operator has the order published again. */
  readonly isPublishedAgain: boolean;
  /** ISO 8601 UTC. */
  readonly updatedAt: string;
}

/**
 * What changed in the order's view: status, attention, transactions. `undefined` when none of them did, such
 * as for an event without effect, and the order is not to be published again.
 */
export function orderChange(write: OrderWrite): OrderStatusChanged | undefined {
  const { order, before, sequence, isPublishedAgain, updatedAt } = write;
  const known = new Set(before);
  const facts = new Set(write.after);
  const added = [...facts].filter((fact) => !known.has(fact));
  const removed = [...known].filter((fact) => !facts.has(fact));
  const previous = before === undefined ? undefined : foldOrder(known);
  const current = foldOrder(facts);
  const isUnchanged = previous !== undefined && viewText(previous) === viewText(current);
  if (isUnchanged && !isPublishedAgain) return undefined;
  return {
    id: dedupeId(order, sequence),
    order_id: order.id,
    mode: order.mode,
    sequence,
    previous: previous === undefined ? null : conditionOf(previous),
    current: conditionOf(current),
    transactions: current.transactions,
    caused_by: causesOf(added, removed),
    updated_at: updatedAt,
  };
}

/** A fold lists everything in a fixed order, so equal views give equal texts. */
const viewText = ({ status, attention, transactions }: OrderState): string =>
  JSON.stringify([status, attention, transactions]);

const conditionOf = ({ status, attention }: OrderState): OrderCondition => ({ status, attention });

/** 128 bits of SHA-256; the sequence has no colon, so two changes never give the same text. */
const dedupeId = ({ mode, id }: OrderRef, sequence: number): string =>
  createHash('sha256')
    .update(`${orderKey(mode, id)}:${sequence}`)
    .digest('hex')
    .slice(0, 32);

/**
 * The events whose facts came or left, by id, then by name, and a conflict last. One that was read again is
 * one cause, with the name that it has now.
 */
function causesOf(added: readonly string[], removed: readonly string[]): readonly Cause[] {
  const came = added.flatMap(causeOf);
  const named = new Set(came.flatMap(({ id, event_name }) => (event_name === null ? [] : [id])));
  const left = removed.flatMap(causeOf).filter(({ id, event_name }) => event_name === null || !named.has(id));
  const byText = new Map([...came, ...left].map((cause) => [JSON.stringify(Object.values(cause)), cause]));
  return [...byText].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, cause]) => cause);
}

/** The event that a fact stems from; none for a fact that payhooks itself added. */
function causeOf(text: string): readonly Cause[] {
  const fact = parseFact(text);
  if (fact.kind === 'event') return [{ id: fact.eventId, event_name: fact.eventName }];
  return fact.kind === 'conflict' ? [{ id: fact.eventId, event_name: null }] : [];
}
