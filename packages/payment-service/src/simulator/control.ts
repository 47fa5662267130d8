import type { IncomingMessage } from 'node:http';
import * as v from 'valibot';
import { checkJson, parseJson, sentenceOf, textLike } from '../json.ts';
import { eventNamePattern } from './account/webhooks.ts';
import { type ApiResponse, invalid, readFields, refusal } from './api/response.ts';
import { misbehavioursSchema } from './delivery/misbehaviour.ts';
import type { DeliveryRecord, Notifier } from './delivery/notifier.ts';
import { isFromThisMachine, readBody, targetOf } from './http.ts';
import { type SampleEvent, sampleEvent } from './sample-events.ts';

/** No part of the API document: it controls a simulator that runs in a separate process. */
export const controlPath = '/simulator/';

interface Controlled extends Pick<Notifier, 'misbehave' | 'records'> {
  readonly emit: (event: SampleEvent) => unknown;
}

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

export function createControl(simulator: Controlled) {
  const routes: Readonly<Record<string, (body: unknown) => ApiResponse>> = {
    'POST /simulator/events': (body) => emit(simulator, body),
    'PUT /simulator/misbehaviours': (body) => misbehave(simulator, body),
    'GET /simulator/deliveries': () => ({
      status: 200,
      body: { deliveries: simulator.records().map(shown) },
    }),
  };
  return async function respond(request: IncomingMessage): Promise<ApiResponse> {
    if (!isFromThisMachine(request)) {
      throw refusal(403, 'not_from_this_machine', 'Send the request from this machine, to a loopback name.');
    }
    const act = routes[`${request.method} ${targetOf(request).path}`];
    if (act === undefined) {
      throw refusal(404, 'unknown_path', `Use one of ${Object.keys(routes).join(', ')}.`);
    }
    return act(parseJson(Buffer.from(await readBody(request)).toString('utf8')));
  };
}

function emit(simulator: Controlled, body: unknown): ApiResponse {
  // Without JSON, the first missing field is named.
  const { event_name, order_id, event_id, transaction_id, ...rest } = readFields(sampleSchema, body ?? {});
  const ids = { orderId: order_id, eventId: event_id, transactionId: transaction_id };
  const event = sampleEvent(event_name, { ...ids, ...rest });
  try {
    // Not awaited: the deliveries take as long as the retry schedule.
    void simulator.emit(event);
  } catch (error) {
    throw invalid('sandbox', error instanceof Error ? error.message : String(error));
  }
  return { status: 202, body: event };
}

function misbehave(simulator: Controlled, body: unknown): ApiResponse {
  const checked = checkJson(misbehavioursSchema, body);
  if (!checked.ok) throw invalid('misbehaviours', sentenceOf(checked.mismatch));
  simulator.misbehave(checked.value);
  return { status: 200, body: { misbehaviours: checked.value } };
}

function shown({ delivery, ...record }: DeliveryRecord) {
  const { body: _, ...rest } = delivery;
  return { ...record, ...rest };
}
