import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { actNames, approvalNames } from '../contract/act-names.ts';
import { actsReadMax } from '../contract/operations-limits.ts';
import { eventRecord, eventAttributes as names } from '../contract/schema.ts';
import type { Act, ActReader } from '../ports/acts.ts';
import { attributesOf, fieldsOf, type Item, keyOf, type Values } from './items.ts';
import { queryItems, type Table } from './table.ts';

/** Reads the acts of operators in the table `events`; `commit` stores them. */
export function createActTable(table: Table): ActReader {
  return {
    async actsOf(partition, { isComplete } = { isComplete: false }) {
      const text = `#${names.key} = :key AND begins_with(#${names.record}, :acts)`;
      const where = { text, values: { ':key': partition, ':acts': eventRecord.acts } };
      const latest = { where, ConsistentRead: true, ScanIndexForward: false };
      const items = await queryItems(table, { ...latest, Limit: isComplete ? undefined : actsReadMax });
      return items.flatMap(readAct).reverse();
    },
  };
}

export function actValues(act: Act, partition: string): Values {
  // Derived from the act, so that a repetition writes the same row.
  const { at, reason: _, ...content } = act;
  const id = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16);
  return { ...keyOf(partition, eventRecord.act(at, id)), ...attributesOf(act) };
}

const text = v.string();
const actFormat = v.object({
  ...{ act: v.picklist([...actNames, ...approvalNames]), by: text, at: text, reason: text },
  ...{ eventId: v.optional(text), orderId: v.optional(text) },
  ...{ bodySha256: v.optional(text), eventName: v.optional(text) },
  attention: v.optional(v.array(text)),
  proposal: v.optional(v.object({ id: text, act: v.picklist(actNames), by: text, at: text, reason: text })),
});

/** Without a row that was damaged, which must not hide the others. */
function readAct(item: Item): readonly Act[] {
  const { success, output: act } = v.safeParse(actFormat, fieldsOf(item));
  return success ? [{ ...act, ...(act.attention && { attention: act.attention.toSorted() }) } as Act] : [];
}
