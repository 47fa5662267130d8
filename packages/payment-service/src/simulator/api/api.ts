import type { IncomingMessage } from 'node:http';
import { readBody, targetOf } from '../http.ts';
import type { Operation } from './operations.ts';
import { type ApiResponse, Refusal, refusal } from './response.ts';

/** Section 4: an unknown path is a 404, another method a 405; the operation checks the rest. */
export function createApi(operations: readonly Operation[]) {
  return async function respond(request: IncomingMessage): Promise<ApiResponse> {
    const { path, query } = targetOf(request);
    const found = operations.filter((operation) => operation.path.test(path));
    if (found.length === 0) throw refusal(404, 'unknown_path', 'Not Found');
    const operation = found.find(({ method }) => method === request.method);
    if (operation === undefined) {
      const { response } = refusal(405, 'unknown_method', 'Method Not Allowed');
      throw new Refusal({ ...response, headers: { allow: found.map(({ method }) => method).join(', ') } });
    }
    const body = await readBody(request);
    const webhookId = operation.path.exec(path)?.[1] ?? '';
    return operation.respond({ headers: request.headersDistinct, webhookId, query, body });
  };
}
