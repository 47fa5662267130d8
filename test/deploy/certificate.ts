import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Certificate {
  readonly certificateFile: string;
  readonly keyFile: string;
  /** The certificate itself, which a client has to trust. */
  readonly ca: string;
}

/**
 * A self-signed certificate for loopback, good for two days. The queue policies of a deployment refuse plain HTTP. Node
 * cannot make a certificate; `openssl` can.
 */
export async function createCertificate(folder: string): Promise<Certificate> {
  const certificateFile = join(folder, 'certificate.pem');
  const keyFile = join(folder, 'key.pem');
  const request =
    'req -x509 -nodes -days 2 -subj /CN=localhost -newkey ec -pkeyopt ec_paramgen_curve:prime256v1';
  const names = 'subjectAltName=DNS:localhost,DNS:*.execute-api.localhost,IP:127.0.0.1';
  const extensions = ['-addext', names, '-addext', 'basicConstraints=critical,CA:FALSE'];
  const flags = [...request.split(' '), ...extensions, '-keyout', keyFile, '-out', certificateFile];
  await promisify(execFile)('openssl', flags).catch((cause) => {
    throw new Error('npm run test:deploy needs openssl 1.1.1 or newer in PATH, to make a certificate.', {
      cause,
    });
  });
  return { certificateFile, keyFile, ca: await readFile(certificateFile, 'utf8') };
}
