import { changesSettleSeconds, listEventsMax } from '../../lambdas/contract/limits.ts';
import { eventExample, orderEventsExample, orderExample, orderListExample } from './examples.ts';
import { parameters } from './parameters.ts';
import { answer, notFound, responses, sharedResponses } from './responses.ts';
import type { Schema } from './schema-parts.ts';
import { schemas } from './schemas.ts';

const guarantee = `A reader that follows changes keeps the last \`next_cursor\` that was not null and starts
from it the next time, now or in a year. \`next_cursor: null\` means the end for now: ask again later with
the cursor that was kept. Before the first cursor, ask again with the same \`updated_since\`.

Read so, **no change is missed, and an order may be told more than once**. Each time it is told as it is by
then; compare it with what you have. This holds provided that a change shows in the index within
${changesSettleSeconds} seconds of its time stamp, which covers the attempts of the write, clocks that
disagree and the delay of the index.

An order stands at its latest change only: one that changes during a walk moves towards the end, and states
between two readings are not told. A page ends early rather than look up more than ${listEventsMax}
events, and with \`status\` it may be short or empty; only \`next_cursor\` says whether there is more.`;

const withMode = [{ $ref: '#/components/parameters/mode' }];
const taking = (...names: string[]): Schema[] =>
  names.map((name) => ({ $ref: `#/components/parameters/${name}` }));

const paths: Readonly<Record<string, Schema>> = {
  '/orders': {
    get: {
      operationId: 'listOrders',
      summary: 'What changed since.',
      description: guarantee,
      parameters: taking('updated_since', 'status', 'limit', 'cursor', 'mode'),
      responses: { 200: answer('A page of orders.', 'OrderList', orderListExample), ...sharedResponses },
    },
  },
  '/orders/{order_id}': {
    parameters: taking('order_id'),
    get: {
      operationId: 'getOrder',
      summary: 'What happened to an order.',
      description: 'The state as of now; an event counts shortly after it was acknowledged.',
      parameters: withMode,
      responses: {
        200: answer('The order.', 'Order', orderExample),
        404: notFound(
          'No event has named this order so far. It may not exist, or its first event is yet to come.',
          'No live event has named the order "order-1001" so far.',
        ),
        ...sharedResponses,
      },
    },
  },
  '/orders/{order_id}/events': {
    parameters: taking('order_id'),
    get: {
      operationId: 'getOrderEvents',
      summary: 'Where the state of an order comes from.',
      description: 'The events that make the state, each with the hash of its body. No customer data.',
      parameters: withMode,
      responses: {
        200: answer('The events.', 'OrderEvents', orderEventsExample),
        404: notFound(
          'No event has named this order so far.',
          'No live event has named the order "order-1001" so far.',
        ),
        ...sharedResponses,
      },
    },
  },
  '/events/{event_id}': {
    parameters: taking('event_id'),
    get: {
      operationId: 'getEvent',
      summary: 'What was received under an event id.',
      description: 'The signed bytes and what became of them. **Holds customer data**: grant it separately.',
      parameters: withMode,
      responses: {
        200: answer('The event.', 'Event', eventExample),
        404: notFound(
          'Nothing was received under this id, or its row has expired.',
          'No live event has had the id "0d2f6a4e-5f0c-4c6e-9a55-0c1f6f2f7a11" so far.',
        ),
        ...sharedResponses,
      },
    },
  },
};

const sigv4 = {
  type: 'apiKey',
  in: 'header',
  name: 'Authorization',
  description: 'AWS Signature Version 4, service `execute-api`, by a caller with `execute-api:Invoke`.',
  'x-amazon-apigateway-authtype': 'awsSigv4',
};

const deployed = {
  url: 'https://{api_id}.execute-api.{region}.amazonaws.com',
  description: 'The stack’s output `OrderQueryUrl`.',
  variables: { api_id: { default: 'api-id' }, region: { default: 'us-east-1' } },
};

/** The interface of the order query. `docs/openapi.json` is this, written down by `npm run openapi`. */
export const openApiDocument = {
  openapi: '3.1.1',
  info: {
    title: 'payhooks order query',
    version: '1.0.0',
    summary: 'What happened to an order, and why.',
    description:
      'For order systems. Reads only. Later versions may add fields to answers, and values to those sets ' +
      'that are called open; they take nothing away.',
  },
  jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
  servers: [deployed, { url: 'http://127.0.0.1:4800', description: 'Local mode, without signatures.' }],
  security: [{ sigv4: [] }],
  paths,
  components: { schemas, parameters, responses, securitySchemes: { sigv4 } },
} as const;
