import type { Tokens } from '../account/tokens.ts';
import { statuses } from '../assumptions.ts';
import { type Answer, type Read, read, refusal, refuse, unauthenticated } from './answer.ts';

const fieldNames = ['client_id', 'client_secret', 'grant_type', 'refresh_token', 'scope'] as const;
type Fields = Readonly<Record<(typeof fieldNames)[number], string>>;

/** Section 4.6: the refresh exchange. The client's own secret authenticates it, and no other credential. */
export async function exchange(contentType: string, body: Uint8Array, tokens: Tokens): Promise<Answer> {
  const fields = await readFields(contentType, body);
  if (!fields.ok) return fields.refusal;
  const { client_id, client_secret, grant_type, refresh_token, scope } = fields.value;
  const grant = tokens.client(client_id, client_secret);
  if (grant === undefined) return unauthenticated('unknown_client');
  if (grant_type !== 'refresh_token') return refused('unsupported_grant_type', 'Must be refresh_token.');
  // The reference request sends an empty one; what another would mean is not shown.
  if (scope !== '') return refused('invalid_scope', 'scope is sent as an empty string.');
  const response = tokens.refresh(grant.client, refresh_token);
  if (response === undefined) return refused('invalid_grant', 'The refresh token is not valid.');
  return { status: 200, body: response, headers: { 'cache-control': 'no-store' } };
}

async function readFields(contentType: string, body: Uint8Array): Promise<Read<Fields>> {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) {
    return refuse(
      refusal(statuses.unsupportedMediaType, 'not_multipart', 'The body is multipart/form-data.'),
    );
  }
  const form = await parseMultipart(contentType, body);
  if (form === undefined) return refuse(refused('invalid_request', 'The multipart body cannot be read.'));
  const fields: Partial<Record<string, string>> = {};
  for (const name of fieldNames) {
    const [value, ...more] = form.getAll(name);
    if (typeof value !== 'string' || more.length > 0) {
      return refuse(refused('invalid_request', `${name} is needed once, as a text field.`));
    }
    fields[name] = value;
  }
  return read(fields as Fields);
}

/** Node parses multipart itself. `undefined` for what is none. */
async function parseMultipart(contentType: string, body: Uint8Array): Promise<FormData | undefined> {
  try {
    const response = new Response(Buffer.from(body), { headers: { 'content-type': contentType } });
    return await response.formData();
  } catch {
    return undefined;
  }
}

function refused(error: string, message: string): Answer {
  return { status: statuses.tokenRefused, body: { error, message }, reason: error };
}
