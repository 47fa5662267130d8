import * as v from 'valibot';

const text = v.fallback(v.optional(v.pipe(v.string(), v.nonEmpty())), undefined);
const transaction = v.fallback(v.object({ order_id: text }), {});
const schema = v.fallback(
  v.pipe(
    v.string(),
    v.parseJson(),
    v.object({
      id: text,
      event_name: text,
      sandbox: v.fallback(v.optional(v.boolean()), undefined),
      payload: v.fallback(v.object({ transaction }), { transaction: {} }),
    }),
  ),
  { payload: { transaction: {} } },
);

/** The fields of an event (API document 2.3) in a body; undefined where missing, empty or of another type. */
export function readEventBody(body: Uint8Array) {
  const { id, event_name, sandbox, payload } = v.parse(schema, Buffer.from(body).toString('utf8'));
  return { eventId: id, eventName: event_name, orderId: payload.transaction.order_id, sandbox };
}

export type EventBody = ReturnType<typeof readEventBody>;
