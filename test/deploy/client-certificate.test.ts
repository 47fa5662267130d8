import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeServer, listen } from '@payhooks/cdk-local';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { privateKey } from '../acceptance/target.ts';
import { spawnPayhooks } from '../cli/payhooks-process.ts';
import { stackName, startDeployedStack } from '../doubles/deployed-stack.ts';
import { type Certificate, createCertificate } from './certificate.ts';

// An endpoint behind mutual TLS, as a domain with a trust store is on AWS and MiniStack has none.
let folder: string;
let own: Certificate;
let trusted: Certificate;
let foreign: Certificate;
let url: string;
let server: ReturnType<typeof createServer>;
let received = 0;
let tls: { key: string; cert: string; ca: string; requestCert: true; rejectUnauthorized: true };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payhooks-mutual-tls-'));
  const made = ['server', 'trusted', 'foreign'].map(async (name) => {
    await mkdir(join(folder, name));
    return createCertificate(join(folder, name));
  });
  [own, trusted, foreign] = (await Promise.all(made)) as [Certificate, Certificate, Certificate];
  const key = await readFile(own.keyFile, 'utf8');
  tls = { key, cert: own.ca, requestCert: true, rejectUnauthorized: true, ca: trusted.ca };
  server = createServer(tls, (request, response) => {
    received += 1;
    request.resume().on('end', () => response.writeHead(202).end('{"status":"accepted"}'));
  });
  url = await listenOn(server);
});
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  await closeServer(server);
  await rm(folder, { recursive: true });
});

async function listenOn(one: ReturnType<typeof createServer>): Promise<string> {
  const address = await listen(one, { host: '127.0.0.1', port: 0 });
  return address.replace('http://127.0.0.1', 'https://localhost');
}

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
      stderr: expect.stringMatching(/did not respond: .*--client-certificate FILE --client-key FILE/),
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

/** A deployed stack whose webhooks come in by such an endpoint, and `payhooks smoke` against it. */
async function startSmoke() {
  const keys = '{"private_keys":[{"key":"pri_live_key"},{"key":"pri_sandbox_key"}]}';
  const { env, state, pipeline } = await startDeployedStack({ keys });
  const front = createServer(tls, (asked, response) => {
    const onward = request(`${pipeline.url}${asked.url}`, { method: 'POST', headers: asked.rawHeaders });
    onward.on('response', (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 0)));
    onward.on('error', () => response.destroy());
    asked.pipe(onward);
  });
  state.outputs['WebhookUrl'] = `${await listenOn(front)}/webhooks/payments`;
  onTestFinished(() => closeServer(front));
  const trusting = { ...env, NODE_EXTRA_CA_CERTS: own.certificateFile };
  const smoke = (...options: readonly string[]) =>
    spawnPayhooks(['smoke', '--stack', stackName, ...options], { env: trusting, timeout: 120_000 });
  return { smoke, pipeline };
}

it('lets a smoke test in with a certificate that it trusts', async () => {
  const { smoke } = await startSmoke();
  const { code, stdout } = await smoke(...as(trusted, trusted));
  expect(stdout).toContain('✓ signed payment         a signed sandbox event gets a 202');
  expect(code).toBe(0);
});

it('lets no smoke test in without one', async () => {
  const { smoke, pipeline } = await startSmoke();
  const { code, stdout } = await smoke();
  expect(stdout).toMatch(/✗ signed payment .* did not respond: .*--client-certificate FILE/);
  expect([code, pipeline.posted]).toEqual([4, []]);
});
