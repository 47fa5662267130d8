import type { IncomingMessage } from 'node:http';
import { readBody, targetOf } from '../http.ts';
import type { Operation } from './operations.ts';
import { type ApiResponse, Refusal, refusal } from './response.ts';

/** Section 4: an unknown path is a 404, another method a 405; the operation checks the rest. */
export function createApi(operations: readonly Operation[]) {
  return async function respond(request: IncomingMessage): Promise<ApiResponse> {
    const { path, query } = targetOf(request);
    const found = operations.filter((operation) => operation.path.test(path));
    if (found.length === 0) throw refusal(404, 'Not Found');
    const operation = found.find(({ method }) => method === request.method);
    if (operation === undefined) {
      const allow = found.map(({ method }) => method).join(', ');
      throw new Refusal({ status: 405, body: { message: 'Method Not Allowed' }, headers: { allow } });
    }
    const body = await readBody(request);
    const webhookId = operation.path.exec(path)?.[1] ?? '';
    return operation.respond({ headers: request.headersDistinct, webhookId, query, body });
  };
}
