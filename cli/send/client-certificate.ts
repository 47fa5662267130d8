import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { CommandError } from '../command-error.ts';

/** What says who calls, where a domain asks for it (mutual TLS). PEM, the certificate with its chain. */
export interface ClientCertificate {
  readonly cert: string;
  /** A secret: for TLS alone, and never printed. */
  readonly key: string;
}

export interface ClientCertificateOptions {
  readonly clientCertificate?: string;
  readonly clientKey?: string;
}

/** The certificate of the named files. Rejects when one is missing or the two do not belong together. */
export async function readClientCertificate({
  clientCertificate,
  clientKey,
}: ClientCertificateOptions): Promise<ClientCertificate | undefined> {
  if (clientCertificate === undefined && clientKey === undefined) return undefined;
  if (clientCertificate === undefined || clientKey === undefined) {
    const message = 'A client certificate needs both: --client-certificate FILE and --client-key FILE.';
    throw new CommandError('wrongUsage', message);
  }
  const [cert, key] = await Promise.all([readPem(clientCertificate), readPem(clientKey)]);
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    const what = `${clientCertificate} and ${clientKey} are no certificate and its private key in PEM`;
    throw new CommandError('wrongUsage', `${what} (${code}); a key with a passphrase cannot be used.`, {
      cause,
    });
  }
  return { cert, key };
}

async function readPem(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new CommandError('wrongUsage', `The file ${file} cannot be read: ${cause.code}.`, { cause });
  });
}
