import { CloudWatchClient, DeleteAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { expect, it } from 'vitest';
import { privateKey } from '../acceptance/pipeline.ts';
import { callScheduledSqs } from './aws-calls.ts';
import { clientOptions, stackName } from './deployment.ts';
import type { Target } from './target.ts';
import { typePayhooks } from './typed-command.ts';

/** `payhooks smoke` after the first deployment, without any private key; at the end there is one. */
export function proveSmoke(target: () => Target): void {
  async function smoke() {
    const argv = ['smoke', '--stack', stackName];
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

  it('smoke has the stack send a heartbeat, and prints why that one was not sent', async () => {
    // MiniStack generates another key than the template asks for, and its functions resolve no name of the API.
    const { printed } = await smoke();
    expect(printed).toMatch(
      /✗ heartbeat +the heartbeat got no response: The heartbeat key is not 64 lowercase/,
    );
    const secrets = new SecretsManagerClient(clientOptions(target().ministack));
    const SecretId = target().outputs['KeySecretArn'];
    const keys = { private_keys: [{ key: privateKey }] };
    await secrets.send(new PutSecretValueCommand({ SecretId, SecretString: JSON.stringify(keys) }));
    secrets.destroy();
  });
}
