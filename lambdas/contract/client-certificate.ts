import * as v from 'valibot';
import { MalformedSecretError } from './key-secret.ts';
import { readSecretJson } from './secret-json.ts';

/** A client certificate with its chain, and its private key, both in PEM: what Node's TLS takes. */
export interface ClientCertificate {
  readonly cert: string;
  /** A secret: never printed. */
  readonly key: string;
}

const form = '{"certificate":"-----BEGIN CERTIFICATE…","private_key":"-----BEGIN PRIVATE KEY…"}';
const expected = `is not text in PEM; expected ${form}`;
const pem = v.pipe(v.string(expected), v.startsWith('-----BEGIN ', expected));
const schema = v.object({ certificate: pem, private_key: pem }, `is not an object; expected ${form}`);

/** Throws a `MalformedSecretError`. */
export function parseClientCertificate(text: string): ClientCertificate {
  const malformed = (problem: string) =>
    new MalformedSecretError(`The secret with the client certificate ${problem}.`);
  const { certificate: cert, private_key: key } = readSecretJson(text, schema, malformed);
  return { cert, key };
}

/** The text of a secret that holds this certificate. */
export const writeClientCertificate = ({ cert, key }: ClientCertificate): string =>
  JSON.stringify({ certificate: cert, private_key: key });
