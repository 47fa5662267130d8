import { CloudWatchClient, DeleteAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { expect, it } from 'vitest';
import { privateKey } from '../acceptance/pipeline.ts';
import { callScheduledSqs } from './aws-calls.ts';
import { clientOptions, stackName } from './deployment.ts';
import type { Target } from './target.ts';
import { typePayhooks } from './typed-command.ts';

/** `payhooks smoke` after the first deployment, without any private key; at the end there is one. */
export function proveSmoke(target: () => Target): void {
  async function smoke(...options: readonly string[]) {
    const argv = ['smoke', '--stack', stackName, ...options];
    const { code, stdout: printed } = await typePayhooks(target().ministack, argv);
    return { code, printed };
  }

  it('smoke lists what is left to do after the first deployment', async () => {
    const { code, printed } = await smoke();
    expect(printed).toContain('✗ live key ');
    expect(printed).toContain(`npx payhooks keys set --stack ${stackName}`);
    expect(printed).toMatch(/✗ .*subscri.* alarm topic/);
    expect(printed).toContain('✗ dead-letter source ');
    expect(code).toBe(1);
  });

  it('smoke notices an alarm that was deleted by hand', async () => {
    await callScheduledSqs(target().ministack);
    const cloudWatch = new CloudWatchClient(clientOptions(target().ministack));
    await cloudWatch.send(new DeleteAlarmsCommand({ AlarmNames: [`${stackName}-ConsumerErrors`] }));
    cloudWatch.destroy();
    const { code, printed } = await smoke();
    expect(printed).toMatch(new RegExp(`✗ .*${stackName}-ConsumerErrors`));
    expect(printed).toContain('✓ dead-letter source ');
    expect(code).toBe(1);
  });

  it('smoke signs with a temporary key when there is no sandbox key, and removes it afterwards', async () => {
    const secrets = new SecretsManagerClient(clientOptions(target().ministack));
    const SecretId = target().outputs['KeySecretArn'];
    const keys = { private_keys: [{ key: privateKey }] };
    await secrets.send(new PutSecretValueCommand({ SecretId, SecretString: JSON.stringify(keys) }));
    const { printed } = await smoke('--temporary-sandbox-key', '--yes');
    expect(printed).toMatch(/✓ temporary key .*[0-9a-f]{12} is in the key secret, until /);
    expect(printed).toMatch(/✓ refund .*payhooks-smoke-[0-9a-f]{8}-order is refunded after 2 events/);
    const { SecretString = '' } = await secrets.send(new GetSecretValueCommand({ SecretId }));
    expect(JSON.parse(SecretString)).toEqual(keys);
    secrets.destroy();
  });
}
