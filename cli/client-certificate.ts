import { createSecureContext } from 'node:tls';
import type { Command } from 'commander';
import type { ClientCertificate } from '../lambdas/contract/client-certificate.ts';
import { bodyInputBytesMax } from '../operator/limits.ts';
import { CommandError } from '../operator/operator-error.ts';
import { readGivenFile } from './input.ts';

export interface ClientCertificateOptions {
  readonly clientCertificate?: string;
  readonly clientKey?: string;
}

export const addClientCertificate = (command: Command): Command =>
  command
    .option('--client-certificate <file>', 'a certificate in PEM, for an endpoint with mutual TLS')
    .option('--client-key <file>', 'its private key in PEM');

/** The certificate that the options name, if they name one. */
export async function readClientCertificate({
  clientCertificate,
  clientKey,
}: ClientCertificateOptions): Promise<ClientCertificate | undefined> {
  if (clientCertificate === undefined && clientKey === undefined) return undefined;
  if (clientCertificate === undefined || clientKey === undefined) {
    const message = 'A client certificate needs both: --client-certificate FILE and --client-key FILE.';
    throw new CommandError('wrongUsage', message);
  }
  return readCertificateFiles(clientCertificate, clientKey);
}

/** Rejects when a file is missing or the key does not belong to the certificate. */
export async function readCertificateFiles(
  certificateFile: string,
  keyFile: string,
): Promise<ClientCertificate> {
  const read = async (file: string) => String(await readGivenFile(file, bodyInputBytesMax));
  const [cert, key] = await Promise.all([read(certificateFile), read(keyFile)]);
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    const files = `${certificateFile} and ${keyFile} are not a certificate and its private key in PEM`;
    const message = `${files} (${code}); a key with a passphrase cannot be used.`;
    throw new CommandError('wrongUsage', message, { cause });
  }
  return { cert, key };
}
