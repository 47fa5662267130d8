import * as v from 'valibot';
import { parseJson, textLike } from '../json.ts';
import { eventNamePattern } from './account/webhooks.ts';
import type { Operation } from './api/operations.ts';
import { invalid, readFields, refusal } from './api/response.ts';
import { isFromThisMachine } from './http.ts';
import { type SampleEvent, sampleEvent } from './sample-events.ts';

/** The fields of a sample event that can be set, under the document's names. */
const sampleSchema = v.strictObject({
  order_id: v.string(),
  event_name: v.optional(textLike(eventNamePattern, 'resource.action'), 'transaction.paid'),
  event_id: v.optional(v.string()),
  transaction_id: v.optional(v.string()),
  amount: v.optional(v.string()),
  currency: v.optional(v.string()),
  sandbox: v.optional(v.boolean()),
});

/** No part of the API document: a sample event happens in the account. */
export const controlOperation = (emit: (event: SampleEvent) => unknown): Operation => ({
  method: 'POST',
  path: /^\/simulator\/events$/,
  respond({ headers, body }) {
    if (!isFromThisMachine(headers)) {
      throw refusal(403, 'Send the request from this machine, to a loopback name.');
    }
    // Without JSON, the first missing field is named.
    const given = readFields(sampleSchema, parseJson(Buffer.from(body).toString('utf8')) ?? {});
    const { event_name, order_id, event_id, transaction_id, ...rest } = given;
    const ids = { orderId: order_id, eventId: event_id, transactionId: transaction_id };
    const event = sampleEvent(event_name, { ...ids, ...rest });
    try {
      // Not awaited: the deliveries take as long as the retry schedule.
      void emit(event);
    } catch (error) {
      throw invalid('sandbox', error instanceof Error ? error.message : String(error));
    }
    return { status: 202, body: event };
  },
});
