import { vi } from 'vitest';
import type { Variable } from '../../lambdas/contract/environment.ts';

type Variables = Readonly<Partial<Record<Variable, string>>>;

/** What a function has wherever it runs; the endpoint is that of every service of AWS. */
const usual = (endpoint: string) => ({
  ...{ AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'none', AWS_SECRET_ACCESS_KEY: 'none' },
  ...{ AWS_ENDPOINT_URL: endpoint, POWERTOOLS_METRICS_NAMESPACE: 'payhooks' },
  ...{ EVENTS_TABLE_NAME: 'events', ORDERS_TABLE_NAME: 'orders' },
});

/** The handler of a function as Lambda starts it, with these variables, in this process. */
export async function startFunction<Handler>(
  stage: string,
  { endpoint, ...variables }: Variables & { readonly endpoint: string },
): Promise<Handler> {
  const environment = { ...usual(endpoint), POWERTOOLS_SERVICE_NAME: stage, ...variables };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  // The query makes it a module of its own, over the same others: resetting them would reset those of every file.
  const module: string = `../../lambdas/${stage}/handler.ts?${JSON.stringify(environment)}`;
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
