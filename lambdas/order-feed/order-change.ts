import { createHash } from 'node:crypto';
import { orderKey } from '../contract/schema.ts';
import type { MeaningOf } from '../domain/assumptions.ts';
import { parseFact } from '../domain/fact.ts';
import { foldOrder, type OrderState } from '../domain/fold-order.ts';
import type { OrderRef } from '../ports/stores.ts';
import type { Cause, OrderCondition, OrderStatusChanged } from './order-status-changed.ts';

/** One write to an order's row, as the facts before and after it. */
export interface OrderWrite {
  readonly order: OrderRef;
  /** `undefined` when the write created the row. */
  readonly before: readonly string[] | undefined;
  readonly after: readonly string[];
  /** ISO 8601 UTC. */
  readonly updatedAt: string;
}

/**
 * What a write changed in the order's view: status, attention, transactions. `undefined` when it changed none
 * of them, such as for an event without effect, and was not made to publish the order again. A pure function
 * of the write, so that reading a record again yields the same event. Throws UnreadableFactError.
 */
export function orderChange(
  { order, before, after, updatedAt }: OrderWrite,
  meaningOf: MeaningOf,
): OrderStatusChanged | undefined {
  const known = new Set(before);
  const facts = new Set(after);
  // Facts only grow: a set of the same size is the same set, and need not be folded.
  if (facts.size <= known.size) return undefined;
  const previous = before === undefined ? undefined : foldOrder(known, meaningOf);
  const current = foldOrder(facts, meaningOf);
  const added = [...facts].filter((fact) => !known.has(fact));
  const isRepeated = added.some((fact) => parseFact(fact).kind === 'refolded');
  const isUnchanged = previous !== undefined && viewText(previous) === viewText(current);
  if (isUnchanged && !isRepeated) return undefined;
  return {
    id: dedupeId(order, facts.size),
    order_id: order.id,
    mode: order.mode,
    sequence: facts.size,
    previous: previous === undefined ? null : conditionOf(previous),
    current: conditionOf(current),
    transactions: current.transactions,
    caused_by: added.flatMap(causesOf).sort(byId),
    updated_at: updatedAt,
  };
}

/** A fold lists everything in a fixed order, so equal views give equal texts. */
const viewText = ({ status, attention, transactions }: OrderState): string =>
  JSON.stringify([status, attention, transactions]);

const conditionOf = ({ status, attention }: OrderState): OrderCondition => ({ status, attention });

/** 128 bits of SHA-256; the sequence has no colon, so two changes never give the same text. */
export const dedupeId = ({ mode, id }: OrderRef, sequence: number): string =>
  createHash('sha256')
    .update(`${orderKey(mode, id)}:${sequence}`)
    .digest('hex')
    .slice(0, 32);

/** The event that a fact stems from; none for a fact that payhooks itself added. */
function causesOf(text: string): readonly Cause[] {
  const fact = parseFact(text);
  if (fact.kind === 'event') return [{ id: fact.eventId, event_name: fact.eventName }];
  return fact.kind === 'conflict' ? [{ id: fact.eventId, event_name: null }] : [];
}

/** By event id; under one id the events by name, and a conflict last. */
function byId(a: Cause, b: Cause): number {
  if (a.id !== b.id) return a.id < b.id ? -1 : 1;
  return b.event_name === null || (a.event_name !== null && a.event_name < b.event_name) ? -1 : 1;
}
