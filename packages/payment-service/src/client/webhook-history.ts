import * as v from 'valibot';
import { historyFields } from '../assumptions.ts';
import { jsonObject } from '../json.ts';
import { pageSchema } from './webhook.ts';

const orNull = <Schema extends v.GenericSchema>(schema: Schema) => v.fallback(v.nullable(schema), null);

/** One delivery attempt (API document 4.5), as far as the assumed fields are there. */
const deliveryAttempt = v.pipe(
  jsonObject,
  v.transform((record) => {
    const parts = Object.entries(historyFields).map(([name, field]) => [name, record[field]]);
    return { ...Object.fromEntries(parts), record };
  }),
  v.object({
    delivery_id: orNull(v.string()),
    event_id: orNull(v.string()),
    event_name: orNull(v.string()),
    /** Counts the attempts of one delivery from 1. */
    attempt: orNull(v.number()),
    attempted_at: orNull(v.string()),
    response_status: orNull(v.number()),
    retry_pending: orNull(v.boolean()),
    record: jsonObject,
  }),
);

export const webhookHistorySchema = pageSchema(deliveryAttempt);

export type DeliveryAttempt = Readonly<v.InferOutput<typeof deliveryAttempt>>;
export type WebhookHistory = Readonly<v.InferOutput<typeof webhookHistorySchema>>;
