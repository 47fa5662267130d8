import * as v from 'valibot';
import { historyFields } from '../assumptions.ts';
import { checkJson, integerFrom, jsonObject, type Mismatch, textLike } from '../json.ts';

export const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const createdAtPattern = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

/** API document 2.1. */
export const webhookSchema = v.pipe(
  jsonObject,
  v.transform((record) => ({ ...record, record })),
  v.object({
    object: v.literal('v2.webhook'),
    id: textLike(uuidPattern, 'a UUID'),
    url: v.string(),
    is_live_mode: v.boolean(),
    /** An array; the service carries it as a JSON-encoded string. */
    enabled_events: v.pipe(
      v.string(),
      v.parseJson(undefined, 'a JSON-encoded array of strings'),
      v.array(v.string()),
      v.readonly(),
    ),
    /** YYYY-MM-DD HH:MM:SS, as it came: the document names no time zone. */
    created_at: textLike(createdAtPattern, 'a time in the form YYYY-MM-DD HH:MM:SS'),
    /** The object as it came, with the fields that the document does not show. */
    record: jsonObject,
  }),
);

/** API document 2.2. */
const paginationSchema = v.object({
  current_page: integerFrom(1),
  per_page: integerFrom(1),
  total: integerFrom(0),
  last_page: integerFrom(0),
});

/** What is listed in a webhook's place and differs from 2.1; the other webhooks are read all the same. */
export interface UnreadableWebhook {
  /** `null` where it is no text. */
  readonly id: string | null;
  readonly url: string | null;
  readonly mismatch: Mismatch;
  /** As it came. */
  readonly record: unknown;
}

/** A collection of 2.2 whose pagination contradicts itself or its page would make a walk lose webhooks. */
function pageSchema<Item extends v.GenericSchema>(item: Item) {
  const page = v.object({ data: v.pipe(v.array(item), v.readonly()), pagination: paginationSchema });
  type Page = v.InferOutput<typeof page>;
  const rule = (expected: string, holds: (given: Page) => boolean) =>
    v.forward(v.check(holds, expected), ['pagination', 'last_page']);
  return v.pipe(
    page,
    // An empty page after the end is no contradiction: the list may have become shorter.
    rule(
      'current_page or above',
      ({ data, pagination: { current_page, last_page } }) => data.length === 0 || current_page <= last_page,
    ),
    rule(
      'the number of a page that is not empty',
      ({ data, pagination: { current_page, last_page, total } }) =>
        data.length > 0 || total === 0 || current_page > last_page,
    ),
    rule(
      'enough pages for the total',
      ({ pagination: { last_page, per_page, total } }) => last_page * per_page >= total,
    ),
  );
}

export const webhookPageSchema = v.pipe(
  v.intersect([v.object({ object: v.literal('v2.webhook') }), pageSchema(v.unknown())]),
  v.transform(({ data, ...page }) => {
    const rows = data.map(readWebhook);
    return {
      ...page,
      data: rows.filter((row): row is Webhook => !('mismatch' in row)),
      unreadable: rows.filter((row) => 'mismatch' in row),
    };
  }),
);

function readWebhook(record: unknown, index: number): Webhook | UnreadableWebhook {
  const checked = checkJson(webhookSchema, record);
  if (checked.ok) return checked.value;
  const { id, url }: Readonly<Record<string, unknown>> = Object(record);
  const path = checked.mismatch.path.replace('$', `$.data[${index}]`);
  return {
    id: typeof id === 'string' ? id : null,
    url: typeof url === 'string' ? url : null,
    mismatch: { ...checked.mismatch, path },
    record,
  };
}

export type Webhook = Readonly<v.InferOutput<typeof webhookSchema>>;
export type WebhookPage = Readonly<v.InferOutput<typeof webhookPageSchema>>;

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
    /** Perhaps only its beginning. */
    response_body: orNull(v.string()),
    retry_pending: orNull(v.boolean()),
    record: jsonObject,
  }),
);

export const webhookHistorySchema = pageSchema(deliveryAttempt);

export type DeliveryAttempt = Readonly<v.InferOutput<typeof deliveryAttempt>>;
export type WebhookHistory = Readonly<v.InferOutput<typeof webhookHistorySchema>>;
