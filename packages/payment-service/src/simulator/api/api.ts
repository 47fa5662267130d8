import type { IncomingMessage } from 'node:http';
import { statuses } from '../../assumptions.ts';
import { readBody, targetOf } from '../http.ts';
import { authenticate, type Credentials } from './authentication.ts';
import type { Operation } from './operations.ts';
import { type ApiResponse, refusal } from './response.ts';

/** Section 4: an unknown path is a 404, another method a 405; the credential comes after that. */
export function createApi(operations: readonly Operation[], credentials: Credentials) {
  return async function respond(request: IncomingMessage): Promise<ApiResponse> {
    const { path, query } = targetOf(request);
    const found = operations.filter((operation) => operation.path.test(path));
    if (found.length === 0) return refusal(404, 'unknown_path', 'Not Found');
    const operation = found.find(({ method }) => method === request.method);
    if (operation === undefined) {
      const allow = found.map(({ method }) => method).join(', ');
      return { ...refusal(405, 'unknown_method', 'Method Not Allowed'), headers: { allow } };
    }
    const body = await readBody(request);
    if (body === undefined) return refusal(413, 'body_too_large', 'Content Too Large');
    const webhookId = operation.path.exec(path)?.[1] ?? '';
    const contentType = request.headers['content-type'] ?? '';
    const given = { webhookId, query, contentType, body };
    if (operation.authenticatesItself) {
      return acceptsJson(request) ? operation.respond(given) : notAcceptable;
    }
    const caller = authenticate(request.headersDistinct, operation.scope, credentials);
    if (!caller.ok) return caller.refusal;
    if (!acceptsJson(request)) return notAcceptable;
    return operation.respond({ ...given, account: caller.value.account });
  };
}

const notAcceptable = refusal(statuses.notAcceptable, 'accept_missing', 'Send Accept: application/json.');

/** Section 4 requires this type; HTTP clients send a wildcard by default. */
function acceptsJson(request: IncomingMessage): boolean {
  const types = (request.headers.accept ?? '').split(',').map((part) => part.split(';')[0]?.trim());
  return types.includes('application/json');
}
