import type { IncomingMessage } from 'node:http';
import { isCrossSite, isLoopbackHost } from '@payhooks/cdk-local';
import { type Answer, invalid, refusal } from './api/answer.ts';
import { readBody, targetOf } from './api/api.ts';
import { eventNamePattern, parseJson } from './api/webhook-request.ts';
import { readMisbehaviours } from './delivery/misbehaviour.ts';
import { failedEvent, paidEvent, refundedEvent, type SampleOptions, unknownEvent } from './sample-events.ts';
import type { Simulator } from './simulator.ts';

/** What is below is no part of the document: it makes things happen at a simulator that runs alone. */
export const controlPath = '/simulator/';

type Controlled = Pick<Simulator, 'emit' | 'misbehave' | 'deliveries' | 'flush'>;
type Fields = Readonly<Record<string, unknown>>;

export function createControl(simulator: Controlled): (request: IncomingMessage) => Promise<Answer> {
  const routes: Readonly<Record<string, (body: unknown) => Answer>> = {
    'POST /simulator/events': (body) => emit(simulator, body),
    'PUT /simulator/misbehaviours': (body) => misbehave(simulator, body),
    'POST /simulator/flush': () => {
      simulator.flush();
      return { status: 204 };
    },
    'GET /simulator/deliveries': () => ({ status: 200, body: { deliveries: shown(simulator) } }),
  };
  return async (request) => {
    if (!isLoopbackHost(request.headers.host) || isCrossSite(request)) {
      return refusal(403, 'not_from_this_machine', 'Ask by a loopback name, and from no page of the web.');
    }
    const act = routes[`${request.method} ${targetOf(request).path}`];
    if (act === undefined) {
      return refusal(404, 'unknown_path', `The simulator knows ${Object.keys(routes).join(', ')}.`);
    }
    const body = await readBody(request);
    if (body === undefined) return refusal(413, 'body_too_large', 'Content Too Large');
    return act(parseJson(Buffer.from(body).toString('utf8')));
  };
}

/** The fields of a sample event that can be set, under the document's names. */
const sampleFields = {
  event_id: 'eventId',
  order_id: 'orderId',
  transaction_id: 'transactionId',
  amount: 'amount',
  currency: 'currency',
} as const;

function emit(simulator: Controlled, body: unknown): Answer {
  const given = Object(body) as Fields;
  const { event_name: name = 'transaction.paid', sandbox = false, account, ...rest } = given;
  if (typeof name !== 'string' || !eventNamePattern.test(name))
    return invalid('event_name', 'resource.action');
  if (typeof sandbox !== 'boolean') return invalid('sandbox', 'true or false');
  if (account !== undefined && typeof account !== 'string') return invalid('account', 'the name of one');
  const options: Record<string, string> = {};
  for (const [field, value] of Object.entries(rest)) {
    const option = sampleFields[field as keyof typeof sampleFields];
    if (option === undefined) return invalid(field, `one of ${Object.keys(sampleFields).join(', ')}`);
    if (typeof value !== 'string') return invalid(field, 'a string');
    options[option] = value;
  }
  if (options['orderId'] === undefined) return invalid('order_id', 'a string');
  const event = sample(name, { orderId: options['orderId'], ...options, sandbox });
  try {
    // Answered at once: the deliveries may take as long as the schedule does.
    void simulator.emit(event, account === undefined ? {} : { account });
  } catch (error) {
    return invalid('account', error instanceof Error ? error.message : String(error));
  }
  return { status: 202, body: event };
}

function sample(name: string, options: SampleOptions) {
  if (name === 'transaction.paid') return paidEvent(options);
  if (name === 'transaction.refunded') return refundedEvent(options);
  if (name === 'transaction.failed') return failedEvent(options);
  return unknownEvent({ ...options, eventName: name });
}

function misbehave(simulator: Controlled, body: unknown): Answer {
  const misbehaviours = readMisbehaviours(body);
  if (typeof misbehaviours === 'string') return invalid('misbehaviours', misbehaviours);
  simulator.misbehave(misbehaviours);
  return { status: 200, body: { misbehaviours } };
}

function shown(simulator: Controlled) {
  return simulator.deliveries().map(({ webhookId, eventId, eventName, delivery }) => {
    const { body: _, ...rest } = delivery;
    return { webhookId, eventId, eventName, ...rest };
  });
}
