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
 * A certificate for loopback that no authority signed, for two days. Real queue policies refuse plain HTTP, and
 * they are what the deployment has; Node cannot make a certificate, `openssl` can.
 */
export async function createCertificate(folder: string): Promise<Certificate> {
  const certificateFile = join(folder, 'certificate.pem');
  const keyFile = join(folder, 'key.pem');
  const names = 'DNS:localhost,DNS:*.execute-api.localhost,IP:127.0.0.1';
  const flags = ['-x509', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-keyout', keyFile];
  const extensions = ['-addext', `subjectAltName=${names}`, '-addext', 'basicConstraints=critical,CA:FALSE'];
  await promisify(execFile)('openssl', [
    'req',
    ...flags,
    ...key,
    ...extensions,
    '-out',
    certificateFile,
  ]).catch((cause) => {
    throw new Error('npm run test:deploy needs openssl 1.1.1 or newer in PATH, to make a certificate.', {
      cause,
    });
  });
  return { certificateFile, keyFile, ca: await readFile(certificateFile, 'utf8') };
}
