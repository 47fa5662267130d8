import * as v from 'valibot';
import { waitingPagesMax } from '../contract/limits.ts';
import type { LevelKind } from '../contract/metrics.ts';
import {
  eventOfKey,
  eventAttributes as names,
  waitingIndexName,
  waitingPartition,
} from '../contract/schema.ts';
import { meanings } from '../domain/assumptions.ts';
import type { Mode } from '../domain/signature.ts';
import type {
  WaitingPosition,
  WaitingReader,
  WaitingRow,
  WaitingSelection,
} from '../ports/waiting-reader.ts';
import { bodySha256In } from './event-item.ts';
import { defined, fieldsOf, type Item, keyOf, placeOf, requiredText, toItem } from './items.ts';
import { type Query, queryItems, queryPage, queryPages, type Table } from './table.ts';

/** Implements the port of the index of what waits. It reads a bounded number of pages of each partition. */
export function createWaitingIndex(table: Table): WaitingReader {
  const all = (mode: Mode, kind: LevelKind) => ({
    IndexName: waitingIndexName,
    where: { text: `#${names.waiting} = :partition`, values: { ':partition': waitingPartition(mode, kind) } },
  });

  return {
    async list(selection) {
      const { items, last } = await queryPage(table, listQuery(selection));
      const shown = items.slice(0, selection.limit);
      const end = items.length > shown.length ? shown.at(-1) : last;
      return { rows: shown.map(toWaitingRow), next: end && toPosition(end) };
    },

    async count(mode, kind) {
      let total = 0;
      const query = { ...all(mode, kind), Select: 'COUNT' } as const;
      for await (const { count } of queryPages(table, query, { pagesMax: waitingPagesMax })) total += count;
      return total;
    },

    async oldest(mode, kind) {
      const { items } = await queryPage(table, { ...all(mode, kind), Limit: 1 });
      return items[0] && requiredText(items[0], names.recordedAt);
    },

    async attentions(mode) {
      const counts: Record<string, number> = {};
      for (const { reason } of await queryItems(table, all(mode, 'attention'), { pagesMax: waitingPagesMax }))
        for (const name of reason?.SS ?? []) counts[name] = (counts[name] ?? 0) + 1;
      return counts;
    },

    async eventNames(mode) {
      const items = await queryItems(table, all(mode, 'event_name'), { pagesMax: waitingPagesMax });
      return items.flatMap((item) => {
        const eventName = item[names.eventName]?.S;
        return eventName ? [{ eventName, recordedAt: requiredText(item, names.recordedAt) }] : [];
      });
    },
  };
}

/** By time, then by key, as the index sorts; a filter is applied to a page of 1 MB at most. */
function listQuery(selection: WaitingSelection): Query {
  const { mode, kind, orderId, transactionId, since = '0', until = '9999', limit, after } = selection;
  const partition = waitingPartition(mode, kind);
  const filter = [
    // An event that names no order is assigned to those that refused it.
    orderId && `(#${names.orderId} = :order OR contains(#${names.assignedOrderIds}, :order))`,
    transactionId && `#${names.transactionId} = :transaction`,
  ]
    .filter(Boolean)
    .join(' AND ');
  const values = { ':partition': partition, ':since': since, ':until': until };
  const position = after && {
    ...keyOf(after.key, after.record),
    ...{ [names.waiting]: partition, [names.recordedAt]: after.recordedAt },
  };
  return {
    IndexName: waitingIndexName,
    where: {
      text: `#${names.waiting} = :partition AND #${names.recordedAt} BETWEEN :since AND :until`,
      values: { ...values, ':order': orderId, ':transaction': transactionId },
    },
    // One row more shows whether there is another page.
    ...(filter === '' ? { Limit: limit + 1 } : { filter }),
    ExclusiveStartKey: position && toItem(position),
  };
}

const toPosition = (item: Item): WaitingPosition => ({
  ...placeOf(item),
  recordedAt: requiredText(item, names.recordedAt),
});

/** What was damaged is absent, so that it hides neither the rest of the row nor the others. */
const text = v.fallback(v.optional(v.string()), undefined);
const rowFormat = v.object({
  ...{ amount: text, currency: text },
  ...{ eventId: text, eventName: text, orderId: text, transactionId: text, receivedAt: text, keyId: text },
  ...{ amount: text, currency: text, meaning: v.fallback(v.optional(v.picklist(meanings)), undefined) },
  ...{ outcome: text, reason: text, assignedOrderIds: v.fallback(v.optional(v.array(v.string()), []), []) },
});

export function toWaitingRow(item: Item): WaitingRow {
  const position = toPosition(item);
  const fields = v.parse(rowFormat, fieldsOf(item));
  const eventId = eventOfKey(position.key)?.id ?? fields.eventId;
  const assignedOrderIds = fields.assignedOrderIds.toSorted();
  const derived = { eventId, bodySha256: bodySha256In(item), assignedOrderIds };
  return defined<object>({ ...position, ...fields, ...derived }) as WaitingRow;
}
