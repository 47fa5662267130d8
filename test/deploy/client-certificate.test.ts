import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeServer, listen } from '../../local/emulators/listen.ts';
import { privateKey } from '../acceptance/target.ts';
import { spawnPayhooks } from '../cli/payhooks-process.ts';
import { type Certificate, createCertificate } from './certificate.ts';

// An endpoint behind mutual TLS, as a domain with a trust store is on AWS and MiniStack has none.
let folder: string;
let own: Certificate;
let trusted: Certificate;
let foreign: Certificate;
let url: string;
let server: ReturnType<typeof createServer>;
let received = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payhooks-mutual-tls-'));
  const made = ['server', 'trusted', 'foreign'].map(async (name) => {
    await mkdir(join(folder, name));
    return createCertificate(join(folder, name));
  });
  [own, trusted, foreign] = (await Promise.all(made)) as [Certificate, Certificate, Certificate];
  const key = await readFile(own.keyFile);
  const asked = { requestCert: true, rejectUnauthorized: true, ca: trusted.ca };
  server = createServer({ key, cert: own.ca, ...asked }, (request, response) => {
    received += 1;
    request.resume().on('end', () => response.writeHead(202).end('{"status":"accepted"}'));
  });
  url = (await listen(server, { host: '127.0.0.1', port: 0 })).replace(
    'http://127.0.0.1',
    'https://localhost',
  );
});
afterAll(async () => {
  await closeServer(server);
  await rm(folder, { recursive: true });
});

function send(...options: readonly string[]) {
  return spawnPayhooks(['send', '--url', url, ...options], {
    env: { PAYHOOKS_PRIVATE_KEY: privateKey, NODE_EXTRA_CA_CERTS: own.certificateFile },
  });
}

const as = ({ certificateFile }: Certificate, { keyFile }: Certificate): readonly string[] => [
  '--client-certificate',
  certificateFile,
  '--client-key',
  keyFile,
];

it('is reached with a client certificate that it trusts', async () => {
  const before = received;
  expect(await send(...as(trusted, trusted))).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('202 stored'),
  });
  expect(received).toBe(before + 1);
});

it('is not reached without one or with another one, and the message says what may be missing', async () => {
  const before = received;
  for (const options of [[], as(foreign, foreign)]) {
    const { code, stderr } = await send(...options);
    expect({ code, stderr }).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/gave no answer: .*--client-certificate FILE --client-key FILE/),
    });
  }
  expect(received).toBe(before);
});

it('is not asked with a certificate and the key of another', async () => {
  expect(await send(...as(trusted, foreign))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('are no certificate and its private key'),
  });
});
