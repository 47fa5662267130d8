import { eventRecord } from '../contract/schema.ts';
import type { EventRow } from '../ports/stores.ts';
import type { ActUnderWay } from './act.ts';
import { keptFact } from './judgement.ts';

/** A body that an erasure removed. */
export interface ErasedBody {
  readonly event_id: string | null;
  readonly body_sha256: string;
  readonly bytes: number;
}

/** The rows of one event, or of one body that is no event. */
export interface RowsToErase {
  readonly eventId?: string;
  readonly rows: readonly EventRow[];
  /** Only what belongs to this order: a conflicting body may belong to another one, and to its customer. */
  readonly orderId?: string;
}

/** A body that names no order may be about any order that has its event. */
export const belongsTo =
  (orderId: string | undefined) =>
  (row: EventRow): boolean => {
    const named = row.orderId ?? row.assignedOrderId;
    return orderId === undefined || named === undefined || named === orderId;
  };

interface Result {
  readonly changed: boolean;
  readonly erased: readonly ErasedBody[];
}

/**
 * Erases the bodies of one event. The event's own row comes first: from then on other bodies under its id are
 * stored without their bytes. Those that came before are found by a second read. May be repeated.
 */
export async function eraseRows(
  act: ActUnderWay,
  { eventId, orderId, rows: all }: RowsToErase,
): Promise<Result> {
  const rows = all.filter(belongsTo(orderId));
  const open = rows.filter(({ erased }) => erased === undefined);
  const [own, others] = [open.filter(isOwn), open.filter((row) => !isOwn(row))];
  for (const row of own) await eraseRow(act, row);
  const late = eventId === undefined ? [] : (await act.events.find(act.mode, eventId)).filter(isNewOf(all));
  const rest = [...others, ...late.filter(belongsTo(orderId))];
  for (const row of rest) await eraseRow(act, row);
  await audit(act, rows);
  const erased = [...own, ...rest].flatMap(({ body, bodySha256 }) =>
    body === undefined ? [] : [{ event_id: eventId ?? null, body_sha256: bodySha256, bytes: body.length }],
  );
  return { changed: own.length + rest.length > 0, erased };
}

const isOwn = ({ record }: EventRow): boolean => record === eventRecord.event;

const isNewOf =
  (rows: readonly EventRow[]) =>
  (row: EventRow): boolean =>
    row.erased === undefined && rows.every(({ record }) => record !== row.record);

/** The row that may hold the body alone first: the other one shows whether the erasure is complete. */
async function eraseRow({ events, decision }: ActUnderWay, row: EventRow): Promise<void> {
  const { key, record, bodySha256 } = row;
  await events.eraseBody({ key, record: eventRecord.body(bodySha256), erased: decision });
  const fact = keptFact(row);
  await events.eraseBody({ key, record, erased: decision, ...(fact !== undefined && { fact }) });
}

async function audit(act: ActUnderWay, rows: readonly EventRow[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const { by, at, reason } = rows.find(({ erased }) => erased !== undefined)?.erased ?? act.decision;
  const orderIds = rows.flatMap(({ orderId, assignedOrderId }) => [orderId, assignedOrderId]);
  const { eventId, bodySha256 } = first;
  const subject = { by, at, reason, ...(eventId === undefined ? { bodySha256 } : { eventId }) };
  await act.audit(subject, { key: first.key, orderIds });
}
