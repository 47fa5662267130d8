import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseClientCertificate } from '../../lambdas/contract/client-certificate.ts';
import { startLocalStack } from '../doubles/local-stack.ts';
import { selfSigned } from '../doubles/self-signed.ts';
import { type Run, runPayhooks, temporaryDirectory } from './payhooks-process.ts';

/** A stack whose secret `token` is the one for the client certificate of heartbeats. */
async function start(outputs: Readonly<Record<string, string>> = { HeartbeatCertificateArn: 'token' }) {
  const stack = await startLocalStack({ token: null, outputs });
  const folder = await temporaryDirectory();
  const store = async (
    given: ReturnType<typeof selfSigned>,
    { argv = [] as string[], ...run }: Run & { argv?: string[] } = {},
  ) => {
    const [certificate, key] = [join(folder, 'client.pem'), join(folder, 'client.key')];
    await Promise.all([writeFile(certificate, given.certificate), writeFile(key, given.key)]);
    const files = ['--certificate', certificate, '--key', key];
    return runPayhooks(['heartbeat', 'certificate', ...files, ...argv, '--local', stack.url], run);
  };
  return { stack, store, stored: () => stack.secret('token').catch(() => undefined) };
}

describe('payhooks heartbeat certificate', () => {
  it('stores the certificate and its key as the heartbeat reads them, and prints neither', async () => {
    const { store, stored } = await start();
    const given = selfSigned();
    const { code, stdout, stderr } = await store(given);
    expect([code, stdout]).toEqual([0, expect.stringContaining('The client certificate is stored')]);
    expect(stdout + stderr).not.toContain('PRIVATE KEY');
    expect(parseClientCertificate((await stored()) ?? '')).toEqual({
      cert: given.certificate,
      key: given.key,
    });
  });

  it('asks before it replaces a certificate', async () => {
    const { store, stored } = await start();
    const [first, second] = [selfSigned(), selfSigned()];
    await store(first);
    expect((await store(second, { typed: ['n'] })).code).toBe(2);
    expect(await stored()).toContain(JSON.stringify(first.certificate));
    expect((await store(second, { typed: ['y'] })).code).toBe(0);
    expect(await stored()).toContain(JSON.stringify(second.certificate));
    expect(JSON.parse((await store(first, { argv: ['--yes', '--json'] })).stdout)).toEqual({ stored: true });
    expect(await stored()).toContain(JSON.stringify(first.certificate));
  });

  it('fails for a stack whose endpoint requires no client certificate, and names the setting', async () => {
    const { store } = await start({});
    const { code, stderr } = await store(selfSigned());
    expect([code, stderr]).toEqual([1, expect.stringContaining('(webhookTruststoreUri is not set)')]);
  });
});
