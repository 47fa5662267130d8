import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { synthesise } from '@payhooks/cdk-local';
import { readAssembly, readTemplate } from '@payhooks/cdk-local/emulators';
import { describe, expect, it, onTestFinished } from 'vitest';
import { generatedKeys } from '../../../local/pipeline/keys.ts';
import { putSecret, secretValues } from '../../../local/pipeline/secret-values.ts';
import { startSecrets } from '../../doubles/secrets.ts';

describe('generated keys', () => {
  it('have the form of live and sandbox keys, and differ between two starts in memory', async () => {
    const [first, second] = [await generatedKeys(undefined), await generatedKeys(undefined)];
    expect(first.live).toMatch(/^pri_[0-9a-f]{48}$/);
    expect(first.sandbox).toMatch(/^pri_sandbox_[0-9a-f]{48}$/);
    expect(second).not.toEqual(first);
  });

  it('stay the same in a data directory, in a file that only its owner can read', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'payhooks-test-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const first = await generatedKeys(directory);
    expect(await generatedKeys(directory)).toEqual(first);
    expect((await stat(join(directory, 'keys.json'))).mode & 0o777).toBe(0o600);
  });
});

describe('the secret with the keys', () => {
  it('gets a new version only when a key has changed', async () => {
    const { client } = await startSecrets('Keys');
    const put = async (live: string) => {
      const ids = { keySecretId: 'Keys', tokenSecretId: undefined };
      for (const secret of secretValues(ids, { live, sandbox: 'pri_sandbox_s' }, undefined))
        await putSecret(client, secret);
      return client.send(new GetSecretValueCommand({ SecretId: 'Keys' }));
    };
    const [first, second, third] = [await put('pri_one'), await put('pri_one'), await put('pri_two')];
    expect(first.SecretString).toBe('{"private_keys":[{"key":"pri_one"},{"key":"pri_sandbox_s"}]}');
    expect(second.VersionId).toBe(first.VersionId);
    expect(third.SecretString).toBe('{"private_keys":[{"key":"pri_two"},{"key":"pri_sandbox_s"}]}');
  });
});

describe('an environment with a custom domain and mutual TLS', () => {
  it('runs locally under local URLs, so that nothing is registered or sent for the deployment', async () => {
    const { directory, remove } = await synthesise({
      project: join(import.meta.dirname, '../../..'),
      app: 'bin/app.ts',
      context: {
        // No function runs.
        'aws:cdk:bundling-stacks': [],
        environmentName: 'local',
        paymentServiceBaseUrl: 'http://127.0.0.1:4810',
        webhookDomainName: 'hooks.example.com',
        webhookCertificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/one',
        webhookTruststoreUri: 's3://trust.example/authorities.pem',
        webhookTruststoreVersion: 'one',
      },
    });
    onTestFinished(remove);
    const addresses = { sqsEndpoint: 'http://127.0.0.1:1111', baseUrl: 'http://127.0.0.1:2222' };
    const model = readTemplate(await readAssembly(directory), addresses);
    const registered = 'http://127.0.0.1:2222/webhooks/payments';
    expect(model.outputs['WebhookUrl']).toBe(registered);
    // Of the audit and of the heartbeat.
    expect(model.functions.flatMap(({ environment }) => environment['WEBHOOK_URL'] ?? [])).toEqual([
      registered,
      registered,
    ]);
    expect(model.routes.map(({ key }) => key)).toContain('POST /webhooks/payments');
    const { template: _, ...started } = model;
    expect(JSON.stringify(started)).not.toContain('hooks.example.com');
  });
});
