import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { privateKey } from '../acceptance/pipeline.ts';
import { spawnPayhooks } from '../cli/payhooks-process.ts';
import { type Certificate, createCertificate } from '../deploy/certificate.ts';

const as = ({ certificateFile }: Certificate, { keyFile }: Certificate): readonly string[] => [
  '--client-certificate',
  certificateFile,
  '--client-key',
  keyFile,
];

it('payhooks send needs a client certificate that the endpoint trusts, and its message names the options', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'payhooks-mutual-tls-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const create = async (name: string): Promise<Certificate> => {
    await mkdir(join(folder, name));
    return createCertificate(join(folder, name));
  };
  const [own, trusted, foreign] = [await create('own'), await create('trusted'), await create('foreign')];
  let received = 0;
  // An endpoint with mutual TLS, such as a domain with a trust store on AWS.
  const tls = {
    ...{ key: await readFile(own.keyFile, 'utf8'), cert: own.ca },
    ...{ requestCert: true, rejectUnauthorized: true, ca: trusted.ca },
  };
  const server = createServer(tls, (incoming, response) => {
    received += 1;
    incoming.resume().on('end', () => response.writeHead(202).end('{"status":"accepted"}'));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => server.close().closeAllConnections());
  await once(server, 'listening');
  const url = `https://localhost:${(server.address() as AddressInfo).port}/webhooks/payments`;
  const env = { PAYHOOKS_PRIVATE_KEY: privateKey, NODE_EXTRA_CA_CERTS: own.certificateFile };
  const send = (...options: readonly string[]) => spawnPayhooks(['send', '--url', url, ...options], { env });
  for (const options of [[], as(foreign, foreign)]) {
    expect(await send(...options)).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/did not respond: .*--client-certificate FILE --client-key FILE/),
    });
  }
  // A certificate and the key of another one.
  expect(await send(...as(trusted, foreign))).toMatchObject({ code: 2 });
  expect(received).toBe(0);
  expect(await send(...as(trusted, trusted))).toMatchObject({ code: 0 });
  expect(received).toBe(1);
});
