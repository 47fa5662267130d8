import { createServer } from 'node:http';
import { closeServer, listen } from '@payhooks/cdk-local';
import { expect, it, onTestFinished } from 'vitest';
import { openOperations } from '../../operator/apis.ts';
import { explainError } from '../../operator/explain-error.ts';

/** What the operator reads when the operations API responds with this. */
async function explained(status: number, type: string, body: object) {
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));
  });
  const localUrl = await listen(server, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => closeServer(server));
  const client = openOperations({ name: 'payhooks-test', outputs: {}, region: 'us-east-1', localUrl });
  const error = await client.admit({ event_id: 'evt-1', reason: 'r' }).catch((thrown: unknown) => thrown);
  const { exitCode, message } = explainError(error, {});
  return { exitCode, message };
}

it('names the operation that a refused operator must be granted', async () => {
  expect(await explained(403, 'application/json', { message: 'Forbidden' })).toEqual({
    exitCode: 3,
    message:
      'The operations API: 403 Forbidden: Forbidden. ' +
      'It needs execute-api:Invoke on POST /operations/admit of the output OperationsInvokeArn.',
  });
});

it('shows what the state forbids in the words of the API', async () => {
  const detail = 'The event was dismissed by another operator.';
  const problem = { type: 'about:blank', title: 'Conflict', status: 409, detail };
  expect(await explained(409, 'application/problem+json', problem)).toEqual({ exitCode: 1, message: detail });
});
