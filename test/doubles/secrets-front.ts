import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listen } from '@payhooks/cdk-local';
import { onTestFinished } from 'vitest';

/** The fate of a request: an error of AWS; handled, but its response is lost; or handled as usual. */
export type SecretFault = { readonly error: string; readonly message: string } | 'lost' | undefined;

export interface SecretsFaults {
  /** Called before each request; may change the secret, like another operator. */
  before?: (operation: string, body: string) => SecretFault | Promise<SecretFault>;
}

/** A proxy in front of a Secrets Manager that passes every request on, except for the faults of a test. */
export async function startSecretsFront(endpoint: string) {
  const faults: SecretsFaults = {};
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const target = String(request.headers['x-amz-target']);
    const operation = target.split('.').at(-1) ?? '';
    const fault = await faults.before?.(operation, body);
    const type = 'application/x-amz-json-1.1';
    if (typeof fault === 'object') {
      const { error, message } = fault;
      response.writeHead(400, { 'content-type': type }).end(JSON.stringify({ __type: error, message }));
      return;
    }
    const headers = { 'x-amz-target': target, 'content-type': type };
    const upstream = await fetch(endpoint, { method: 'POST', headers, body });
    const result = await upstream.text();
    if (fault === 'lost') response.destroy();
    else response.writeHead(upstream.status, { 'content-type': type }).end(result);
  });
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => closeServer(server));
  return { url, faults };
}
