import * as v from 'valibot';
import { readSecretJson } from './secret-json.ts';

/** A client certificate with its chain, and its private key, both in PEM: what Node's TLS takes. */
export interface ClientCertificate {
  readonly cert: string;
  /** A secret: never printed. */
  readonly key: string;
}

/** The secret cannot be used. The message never quotes a value. */
export class MalformedCertificateError extends Error {
  override readonly name = 'MalformedCertificateError';
}

const form = '{"certificate":"-----BEGIN CERTIFICATE…","private_key":"-----BEGIN PRIVATE KEY…"}';
const expected = `is not text in PEM; expected ${form}`;
const pem = v.pipe(v.string(expected), v.startsWith('-----BEGIN ', expected));
const schema = v.object({ certificate: pem, private_key: pem }, `is not an object; expected ${form}`);

/** Throws a `MalformedCertificateError`. */
export function parseClientCertificate(text: string): ClientCertificate {
  const read = readSecretJson(text, schema);
  if ('problem' in read) {
    throw new MalformedCertificateError(`The secret with the client certificate ${read.problem}.`);
  }
  return { cert: read.value.certificate, key: read.value.private_key };
}

/** The text of a secret that holds this certificate. */
export const writeClientCertificate = ({ cert, key }: ClientCertificate): string =>
  JSON.stringify({ certificate: cert, private_key: key });
