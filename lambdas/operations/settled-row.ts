import type { Reading } from '../ports/readings.ts';
import type { EventRow, Settlement } from '../ports/stores.ts';

/**
 * The row after a settlement; `undefined` when the settlement does not apply to it. The conditions are those
 * of `settleExpression`, and a test holds the two together.
 */
export function settledRow(row: EventRow, settlement: Settlement): EventRow | undefined {
  const { from = row.outcome, mergedInto: _, ...state } = settlement;
  if (from !== row.outcome || !isAbout(row, settlement) || !isBetter(row, settlement)) return undefined;
  const { reason, waiting, expiresAt, judged, ...kept } = row;
  if (settlement.waiting !== undefined && judged && row.outcome === settlement.outcome) return undefined;
  return {
    ...kept,
    ...(settlement.waiting === undefined && {
      ...(expiresAt !== undefined && { expiresAt }),
      ...(judged && { judged }),
    }),
    ...state,
    bodySha256: row.bodySha256,
  };
}

const isAbout = (row: EventRow, settlement: Settlement): boolean =>
  'bodySha256' in settlement
    ? row.bodySha256 === settlement.bodySha256
    : row.fact === settlement.fact && row.orderId === undefined;

/** An order that refused the event stays until the event is in that one too; otherwise the least stays. */
function isBetter(row: EventRow, { outcome, assignedOrderId: order, mergedInto }: Settlement): boolean {
  const { assignedOrderId: known } = row;
  if (outcome !== 'applied' || order === undefined || known === undefined) return true;
  if ((mergedInto ?? [order]).includes(known)) return true;
  return row.outcome === 'applied' && Buffer.compare(Buffer.from(known), Buffer.from(order)) > 0;
}

/** The row as it is after `reread`. */
export function withReading(row: EventRow, { from: _, ...reading }: Reading): EventRow {
  const { eventName, orderId, transactionId, assignedOrderId, fact, outcome, waiting, ...kept } = row;
  return { ...kept, ...reading };
}
