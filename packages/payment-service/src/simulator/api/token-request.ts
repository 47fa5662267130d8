import { statuses } from '../../assumptions.ts';
import type { Tokens } from '../account/tokens.ts';
import { type ApiResponse, Refusal, refusal, unauthenticated } from './response.ts';

const fieldNames = ['client_id', 'client_secret', 'grant_type', 'refresh_token', 'scope'] as const;
type Fields = Readonly<Record<(typeof fieldNames)[number], string>>;

/** Section 4.6: the refresh exchange, which only the client's own secret authenticates. */
export async function exchange(contentType: string, body: Uint8Array, tokens: Tokens): Promise<ApiResponse> {
  const fields = await readForm(contentType, body);
  const { client_id, client_secret, grant_type, refresh_token, scope } = fields;
  const client = tokens.client(client_id, client_secret);
  if (client === undefined) throw unauthenticated();
  if (grant_type !== 'refresh_token') throw tokenError('unsupported_grant_type', 'Must be refresh_token.');
  // The meaning of another scope is not shown.
  if (scope !== '') throw tokenError('invalid_scope', 'scope is sent as an empty string.');
  const response = tokens.refresh(client, refresh_token);
  if (response === undefined) throw tokenError('invalid_grant', 'The refresh token is not valid.');
  return { status: 200, body: response, headers: { 'cache-control': 'no-store' } };
}

async function readForm(contentType: string, body: Uint8Array): Promise<Fields> {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) {
    throw refusal(statuses.unsupportedMediaType, 'The body must be multipart/form-data.');
  }
  // Node parses multipart bodies in Response only.
  const response = new Response(Buffer.from(body), { headers: { 'content-type': contentType } });
  const form = await response.formData().catch(() => undefined);
  if (form === undefined) throw tokenError('invalid_request', 'The multipart body is malformed.');
  const fields = fieldNames.map((name) => {
    const [value, ...more] = form.getAll(name);
    if (typeof value === 'string' && more.length === 0) return [name, value];
    throw tokenError('invalid_request', `${name} is required once, as a text field.`);
  });
  return Object.fromEntries(fields) as Fields;
}

const tokenError = (error: string, message: string): Refusal =>
  new Refusal({ status: statuses.tokenRefused, body: { error, message } });
