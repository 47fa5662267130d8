import * as v from 'valibot';
import { eventNameKey, eventRecord, waitingPartition } from '../contract/schema.ts';
import type { AnyMode } from '../domain/signature.ts';
import type { EventNameState } from '../ports/stores.ts';
import { stateFormat } from './event-item.ts';
import { attributesOf, defined, fieldsOf, type Item, keyOf, type Values } from './items.ts';

export const eventNameValues = ({ mode, waiting, ...fields }: EventNameState): Values => ({
  ...keyOf(eventNameKey(mode, fields.eventName), eventRecord.eventName),
  ...attributesOf({ ...fields, waiting: waiting && waitingPartition(mode, waiting) }),
});

const text = v.string();
const names = { eventName: text, eventId: text, orderId: v.optional(text), recordedAt: text };
const nameFormat = v.object({ ...names, ...stateFormat });

/** The inverse of `eventNameValues`; `undefined` for an item that was damaged. */
export function readEventName(mode: AnyMode, item: Item): EventNameState | undefined {
  const { success, output } = v.safeParse(nameFormat, fieldsOf(item));
  const absent = { orderId: undefined, waiting: undefined, judged: undefined };
  return success ? defined<EventNameState>({ mode, ...absent, ...output }) : undefined;
}
