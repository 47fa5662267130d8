import { expect, it } from 'vitest';
import {
  parseClientCertificate,
  writeClientCertificate,
} from '../../../lambdas/contract/client-certificate.ts';
import { MalformedSecretError } from '../../../lambdas/contract/key-secret.ts';

const cert = '-----BEGIN CERTIFICATE-----\nMIIB\n';
const key = '-----BEGIN PRIVATE KEY-----\nhunter2\n';
const form = '{"certificate":"-----BEGIN CERTIFICATE…","private_key":"-----BEGIN PRIVATE KEY…"}';

it('the secret of a client certificate is read as it is written', () => {
  const text = JSON.stringify({ certificate: cert, private_key: key });
  expect(writeClientCertificate({ cert, key })).toBe(text);
  expect(parseClientCertificate(text)).toEqual({ cert, key });
});

it.each([
  ['hunter2', 'is not JSON'],
  ['["hunter2"]', `is malformed: certificate is not an object; expected ${form}`],
  ['"hunter2"', `is not an object; expected ${form}`],
  [
    JSON.stringify({ certificate: 7, private_key: key }),
    `is malformed: certificate is not text in PEM; expected ${form}`,
  ],
  [
    JSON.stringify({ certificate: cert, private_key: ` ${key}` }),
    `is malformed: private_key is not text in PEM; expected ${form}`,
  ],
])('the secret %j is refused with what is wrong, and quotes no value', (text, problem) => {
  const read = () => parseClientCertificate(text);
  expect(read).toThrow(MalformedSecretError);
  expect(read).toThrow(`The secret with the client certificate ${problem}.`);
  expect(read).toThrow(/^((?!hunter2).)*$/s);
});
