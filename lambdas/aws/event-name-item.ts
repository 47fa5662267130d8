import { eventAttributes, eventNameKey, eventRecord, waitingPartition } from '../contract/schema.ts';
import type { AnyMode } from '../domain/signature.ts';
import type { EventNameState } from '../ports/judgements.ts';
import type { EventNameRow } from '../ports/stores.ts';
import { type Item, requiredText, textItem } from './dynamodb.ts';
import { actsOn, waitingOf } from './event-item.ts';

export const toEventNameItem = ({ mode, eventName, eventId, orderId, recordedAt }: EventNameRow): Item =>
  textItem({
    [eventAttributes.key]: eventNameKey(mode, eventName),
    [eventAttributes.record]: eventRecord.eventName,
    [eventAttributes.waiting]: waitingPartition(mode, 'event_name'),
    [eventAttributes.recordedAt]: recordedAt,
    mode,
    event_name: eventName,
    event_id: eventId,
    order_id: orderId,
  });

/** The inverse of `toEventNameItem`. */
export function fromEventNameItem(item: Item): EventNameState {
  const orderId = item['order_id']?.S;
  return {
    mode: requiredText(item, 'mode') as AnyMode,
    eventName: requiredText(item, 'event_name'),
    eventId: requiredText(item, 'event_id'),
    recordedAt: requiredText(item, eventAttributes.recordedAt),
    ...(orderId === undefined ? {} : { orderId }),
    ...waitingOf(item),
    ...actsOn(item),
  };
}
