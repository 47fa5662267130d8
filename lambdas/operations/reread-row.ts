import { eventRecord } from '../contract/schema.ts';
import type { EventRow } from '../ports/stores.ts';
import { isSameReading, saidBy } from './read-row.ts';
import type { ReplayParts } from './replay-parts.ts';
import type { ReplaySubject } from './replay-subject.ts';

/** Updates what the row says about its body, where this version reads it differently. Returns the row. */
export async function rereadRow(
  parts: ReplayParts,
  subject: ReplaySubject,
  orderIds: ReadonlySet<string>,
): Promise<EventRow> {
  const { found, row, unassigned } = subject;
  const stored = (await parts.events.getRow(found.key, eventRecord.event)) ?? found;
  const { assignedOrderId } = stored;
  // An order that the event has left.
  const isWrong = assignedOrderId !== undefined && !orderIds.has(assignedOrderId);
  if (isSameReading(stored, row) && !isWrong) return stored;
  const [least] = [...orderIds].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const assigned = row.orderId === undefined ? least : undefined;
  const { key, mode, bodySha256 } = row;
  const { outcome, waiting } = orderIds.size > 0 ? stored : unassigned;
  const reading = {
    key,
    mode,
    bodySha256,
    ...saidBy(row),
    // An operator may admit the event in this moment.
    from: stored.outcome,
    outcome,
    ...(waiting === undefined ? {} : { waiting }),
    ...(assigned === undefined ? {} : { assignedOrderId: assigned }),
  };
  if (waiting !== undefined) await parts.events.setBodyExpiry({ key, bodySha256 }, undefined);
  await parts.events.reread(reading);
  const after = (await parts.events.getRow(key, eventRecord.event)) ?? stored;
  // A payment of its former transaction settled the row in this moment.
  const isSettled = after.outcome !== stored.outcome && after.judged === undefined;
  return isSettled && !isSameReading(after, row) ? rereadRow(parts, subject, orderIds) : after;
}
