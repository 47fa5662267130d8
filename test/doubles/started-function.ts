import { startService } from '@payhooks/payment-service/testing';
import { vi } from 'vitest';
import type { Variable } from '../../lambdas/contract/environment.ts';
import { ownApi } from './gateway-event.ts';

type Variables = Readonly<Partial<Record<Variable, string>>>;

function stubVariables(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
}

/** The variables with which the clients of a function find every service of AWS at one endpoint. */
export const stubAws = (endpoint: string): void =>
  stubVariables({
    ...{ AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'none', AWS_SECRET_ACCESS_KEY: 'none' },
    AWS_ENDPOINT_URL: endpoint,
  });

/** AWS with these responses, for the clients of a function, and what they send to it. */
export async function startAws(...responses: Parameters<typeof startService>) {
  const { baseUrl: endpoint, received } = await startService(...responses);
  stubAws(endpoint);
  return { endpoint, received, inputs: () => received.map(({ body }) => JSON.parse(body)) };
}

/** The handler of a function as Lambda starts it, with these variables, in this process. */
export async function startFunction<Handler>(
  stage: string,
  { endpoint, ...variables }: Variables & { readonly endpoint: string },
): Promise<Handler> {
  stubAws(endpoint);
  const environment = {
    ...{ POWERTOOLS_METRICS_NAMESPACE: 'payhooks', POWERTOOLS_SERVICE_NAME: stage },
    ...{
      EVENTS_TABLE_NAME: 'events',
      ORDERS_TABLE_NAME: 'orders',
      OWN_API: ownApi,
      PROOF_SECRET_ARN: 'proof',
    },
    ...variables,
  };
  stubVariables(environment);
  // The query makes it a module of its own, over the same others: resetting them would reset those of every file.
  const query = JSON.stringify({ endpoint, ...environment });
  const module: string = `../../lambdas/${stage}/handler.ts?${query}`;
  const { handler } = (await import(module)) as { handler: Handler };
  return handler;
}

/** The lines that a function writes until the test ends, as objects. */
export function functionLog(): readonly Readonly<Record<string, unknown>>[] {
  const lines: Record<string, unknown>[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    return lines.push(JSON.parse(String(chunk))) > 0;
  });
  return lines;
}
