import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { foldOrder } from '../domain/fold-order.ts';
import type { Mode } from '../domain/signature.ts';
import type { EventReader, OrderReader } from '../stores.ts';
import type { Telemetry } from '../telemetry.ts';
import { eventView } from './event-view.ts';
import { orderView } from './order-view.ts';
import { type Problem, problemResponse } from './problem.ts';

export interface OrderQueryParts {
  readonly orders: OrderReader;
  readonly events: EventReader;
  readonly telemetry: Telemetry;
}

export type OrderQuery = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

type Answer =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly problem: Problem };
type Route = (parts: OrderQueryParts, id: string, mode: Mode) => Promise<Answer>;

/** The routes of the order query, as `lib/order-query.ts` declares them. */
export const orderQueryRoutes = {
  'GET /orders/{order_id}': { parameter: 'order_id', answer: getOrder },
  'GET /events/{event_id}': { parameter: 'event_id', answer: getEvent },
} as const satisfies Readonly<Record<string, { parameter: string; answer: Route }>>;

/** What order systems ask. Reads only; errors are problem details. */
export function createOrderQuery(parts: OrderQueryParts): OrderQuery {
  return async (event) => {
    try {
      const answer = await answerRoute(parts, event);
      return answer.ok ? jsonResponse(answer.body) : problemResponse(answer.problem);
    } catch (error) {
      parts.telemetry.log('error', 'query failed', {
        request_id: event.requestContext.requestId,
        error_name: error instanceof Error ? error.name : undefined,
        error_message: error instanceof Error ? error.message : undefined,
      });
      const { requestId } = event.requestContext;
      const detail = `The request ${requestId} met a fault of ours; it is safe to repeat.`;
      return problemResponse({ status: 500, title: 'Internal Server Error', detail });
    }
  };
}

async function answerRoute(parts: OrderQueryParts, event: APIGatewayProxyEventV2): Promise<Answer> {
  const route = Object.entries(orderQueryRoutes).find(([routeKey]) => routeKey === event.routeKey)?.[1];
  const id = route === undefined ? undefined : event.pathParameters?.[route.parameter];
  if (route === undefined || id === undefined || id === '') {
    return problem(404, 'Not Found', `There is no ${event.routeKey}; there are ${routeNames()}.`);
  }
  const mode = event.queryStringParameters?.['mode'] ?? 'live';
  if (mode !== 'live' && mode !== 'sandbox') {
    return problem(400, 'Bad Request', `The parameter mode is "${mode}"; expected live or sandbox.`);
  }
  return route.answer(parts, id, mode);
}

const routeNames = (): string => Object.keys(orderQueryRoutes).join(' and ');

async function getOrder({ orders, events }: OrderQueryParts, id: string, mode: Mode): Promise<Answer> {
  const order = { mode, id };
  const row = await orders.get(order);
  if (row === undefined)
    return problem(404, 'Not Found', `No ${mode} event has named the order "${id}" so far.`);
  const state = foldOrder(row.facts);
  const receivedAt = await events.receivedAt(
    mode,
    state.events.map((event) => event.id),
  );
  return { ok: true, body: orderView({ order, state, updatedAt: row.updatedAt, receivedAt }) };
}

async function getEvent({ events }: OrderQueryParts, id: string, mode: Mode): Promise<Answer> {
  const [first, ...others] = await events.find(mode, id);
  if (first === undefined)
    return problem(404, 'Not Found', `No ${mode} event has had the id "${id}" so far.`);
  return { ok: true, body: eventView(id, [first, ...others]) };
}

function problem(status: Problem['status'], title: string, detail: string): Answer {
  return { ok: false, problem: { status, title, detail } };
}

function jsonResponse(body: unknown): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(body),
  };
}
