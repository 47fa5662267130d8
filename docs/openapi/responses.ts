import { ref, type Schema } from './schema-parts.ts';

const json = (schema: string, example: unknown): Schema => ({
  'application/json': { schema: ref(schema), example },
});

const problem = (schema: string, example: unknown): Schema => ({
  'application/problem+json': { schema: ref(schema), example },
});

export const answer = (description: string, schema: string, example: unknown): Schema => ({
  description,
  headers: { 'cache-control': { description: 'Always `no-store`.', schema: { type: 'string' } } },
  content: json(schema, example),
});

export const notFound = (description: string, detail: string): Schema => ({
  description,
  content: problem('Problem', { type: 'about:blank', title: 'Not Found', status: 404, detail }),
});

/** Answers that several routes share. */
export const responses: Readonly<Record<string, Schema>> = {
  WrongParameter: {
    description: 'A query parameter is wrong or unknown. Do not repeat the request.',
    content: problem('ParameterProblem', {
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'The parameter mode is "Live"; expected live or sandbox.',
      parameter: 'mode',
    }),
  },
  OurFault: {
    description:
      'A fault of ours; it is safe to repeat the request. API Gateway answers in its own words when the ' +
      'function did not answer at all.',
    content: {
      ...problem('Problem', {
        type: 'about:blank',
        title: 'Internal Server Error',
        status: 500,
        detail: 'The request c6af9ac6-7b61-11e6-9a41-93e8deadbeef met a fault of ours; it is safe to repeat.',
      }),
      ...json('GatewayMessage', { message: 'Internal Server Error' }),
    },
  },
  Forbidden: {
    description:
      'By API Gateway: the request is not signed, its signature is wrong or old, or the caller has no ' +
      '`execute-api:Invoke` on the route. Never in local mode.',
    content: json('GatewayMessage', { message: 'Forbidden' }),
  },
  TooManyRequests: {
    description: 'By API Gateway: above the throttle of the API. Repeat later. Never in local mode.',
    content: json('GatewayMessage', { message: 'Too Many Requests' }),
  },
  Unavailable: {
    description: 'By API Gateway: the function could not be run. Repeat later. Never in local mode.',
    content: json('GatewayMessage', { message: 'Service Unavailable' }),
  },
};

const shared = (name: string): Schema => ({ $ref: `#/components/responses/${name}` });

/** What every route can answer beside its own. */
export const sharedResponses: Readonly<Record<string, Schema>> = {
  400: shared('WrongParameter'),
  403: shared('Forbidden'),
  429: shared('TooManyRequests'),
  500: shared('OurFault'),
  503: shared('Unavailable'),
};
