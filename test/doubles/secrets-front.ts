import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listen } from '@payhooks/cdk-local';
import { onTestFinished } from 'vitest';

/** What becomes of a request: an error of AWS; done, and the answer lost on its way; or answered as it is. */
export type SecretFault = { readonly error: string; readonly message: string } | 'lost' | undefined;

export interface SecretsFaults {
  /** Asked before each request; may change the secret meanwhile, as somebody else would. */
  before?: (operation: string, body: string) => SecretFault | Promise<SecretFault>;
}

/** Stands before a Secrets Manager, and hands everything on but what a test wants otherwise. */
export async function startSecretsFront(endpoint: string) {
  const faults: SecretsFaults = {};
  const calls: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const target = String(request.headers['x-amz-target']);
    const operation = target.split('.').at(-1) ?? '';
    calls.push(operation);
    const fault = await faults.before?.(operation, body);
    const type = 'application/x-amz-json-1.1';
    if (typeof fault === 'object') {
      const { error, message } = fault;
      response.writeHead(400, { 'content-type': type }).end(JSON.stringify({ __type: error, message }));
      return;
    }
    const headers = { 'x-amz-target': target, 'content-type': type };
    const answer = await fetch(endpoint, { method: 'POST', headers, body });
    const answered = await answer.text();
    if (fault === 'lost') response.destroy();
    else response.writeHead(answer.status, { 'content-type': type }).end(answered);
  });
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => closeServer(server));
  return { url, faults, calls };
}
