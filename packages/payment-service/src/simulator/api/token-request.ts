import { statuses } from '../../assumptions.ts';
import type { Tokens } from '../account/tokens.ts';
import { type ApiResponse, type Read, read, refusal, refuse } from './response.ts';

const fieldNames = ['client_id', 'client_secret', 'grant_type', 'refresh_token', 'scope'] as const;
type Fields = Readonly<Record<(typeof fieldNames)[number], string>>;

/** Section 4.6: the refresh exchange, which only the client's own secret authenticates. */
export async function exchange(contentType: string, body: Uint8Array, tokens: Tokens): Promise<ApiResponse> {
  const fields = await readFields(contentType, body);
  if (!fields.ok) return fields.refusal;
  const { client_id, client_secret, grant_type, refresh_token, scope } = fields.value;
  const grant = tokens.client(client_id, client_secret);
  if (grant === undefined) return refusal(401, 'unknown_client', 'Unauthenticated');
  if (grant_type !== 'refresh_token') return tokenError('unsupported_grant_type', 'Must be refresh_token.');
  // The meaning of another scope is not shown.
  if (scope !== '') return tokenError('invalid_scope', 'scope is sent as an empty string.');
  const response = tokens.refresh(grant.client, refresh_token);
  if (response === undefined) return tokenError('invalid_grant', 'The refresh token is not valid.');
  return { status: 200, body: response, headers: { 'cache-control': 'no-store' } };
}

async function readFields(contentType: string, body: Uint8Array): Promise<Read<Fields>> {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) {
    return refuse(
      refusal(statuses.unsupportedMediaType, 'not_multipart', 'The body must be multipart/form-data.'),
    );
  }
  // Node parses multipart bodies in Response only.
  const response = new Response(Buffer.from(body), { headers: { 'content-type': contentType } });
  const form = await response.formData().catch(() => undefined);
  if (form === undefined) return refuse(tokenError('invalid_request', 'The multipart body is malformed.'));
  const fields = fieldNames.map((name) => [name, form.getAll(name)] as const);
  const wrong = fields.find(([, values]) => values.length !== 1 || typeof values[0] !== 'string');
  if (wrong !== undefined) {
    return refuse(tokenError('invalid_request', `${wrong[0]} is required once, as a text field.`));
  }
  return read(Object.fromEntries(fields.map(([name, [value]]) => [name, value])) as Fields);
}

function tokenError(error: string, message: string): ApiResponse {
  return { status: statuses.tokenRefused, body: { error, message }, reason: error };
}
