import { bytesOf, type SampleEvent } from '@payhooks/payment-service/simulator';

/** The bytes of an event whose transaction has other fields; `undefined` leaves a field out. */
export function withTransaction(event: SampleEvent, fields: Readonly<Record<string, unknown>>): Uint8Array {
  const transaction = { ...event.payload.transaction, ...fields };
  return bytesOf({ ...event, payload: { ...event.payload, transaction } } as SampleEvent);
}

/** The bytes of an event that names no order. */
export const withoutOrder = (event: SampleEvent): Uint8Array =>
  withTransaction(event, { order_id: undefined });

/** The same event serialised in another way. */
export const reserialised = (body: Uint8Array): Uint8Array =>
  Buffer.from(JSON.stringify(JSON.parse(Buffer.from(body).toString()), null, 1));
