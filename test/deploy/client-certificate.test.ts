import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { type RequestListener, request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { privateKey } from '../acceptance/pipeline.ts';
import { spawnPayhooks } from '../cli/payhooks-process.ts';
import { stackName, startDeployedStack } from '../doubles/deployed-stack.ts';
import { type Certificate, createCertificate } from './certificate.ts';

// An endpoint with mutual TLS, such as a domain with a trust store on AWS. MiniStack has none.
let folder: string;
let own: Certificate;
let trusted: Certificate;
let foreign: Certificate;
let tls: { key: string; cert: string; ca: string; requestCert: true; rejectUnauthorized: true };
const servers: Server[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payhooks-mutual-tls-'));
  const create = async (name: string): Promise<Certificate> => {
    await mkdir(join(folder, name));
    return createCertificate(join(folder, name));
  };
  [own, trusted, foreign] = await Promise.all([create('own'), create('trusted'), create('foreign')]);
  const key = await readFile(own.keyFile, 'utf8');
  tls = { key, cert: own.ca, requestCert: true, rejectUnauthorized: true, ca: trusted.ca };
});
afterAll(async () => {
  for (const server of servers) server.close().closeAllConnections();
  await rm(folder, { recursive: true });
});

async function startEndpoint(handle: RequestListener): Promise<string> {
  const server = createServer(tls, handle).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `https://localhost:${(server.address() as AddressInfo).port}/webhooks/payments`;
}

const as = ({ certificateFile }: Certificate, { keyFile }: Certificate): readonly string[] => [
  '--client-certificate',
  certificateFile,
  '--client-key',
  keyFile,
];

it('payhooks send needs a client certificate that the endpoint trusts, and its message names the options', async () => {
  let received = 0;
  const url = await startEndpoint((incoming, response) => {
    received += 1;
    incoming.resume().on('end', () => response.writeHead(202).end('{"status":"accepted"}'));
  });
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

it('payhooks smoke posts forgeries to an endpoint with mutual TLS, given a client certificate', async () => {
  const keys = '{"private_keys":[{"key":"pri_live_key"}]}';
  const { env, state } = await startDeployedStack({ keys });
  state.outputs['HeartbeatLogGroup'] = 'shop-heartbeat';
  const plainUrl = `${state.outputs['WebhookUrl']}`;
  state.outputs['WebhookUrl'] = await startEndpoint((incoming, response) => {
    const onward = request(plainUrl, { method: 'POST', headers: incoming.rawHeaders });
    onward.on('response', (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 0)));
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  });
  const trusting = { ...env, NODE_EXTRA_CA_CERTS: own.certificateFile };
  const smoke = (...options: readonly string[]) =>
    spawnPayhooks(['smoke', '--stack', stackName, ...options], { env: trusting, timeout: 120_000 });
  const refused = await smoke();
  expect(refused.stdout).toMatch(/✗ missing signature .*--client-certificate FILE/);
  expect([refused.code, state.posted]).toEqual([4, 0]);
  const { code, stdout } = await smoke(...as(trusted, trusted));
  expect(stdout).toContain('✓ missing signature');
  expect(code).toBe(0);
});
