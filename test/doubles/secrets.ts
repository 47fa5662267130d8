import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { credentials, region } from '@payhooks/cdk-local';
import { startSecretsManager } from '@payhooks/cdk-local/emulators';
import { onTestFinished } from 'vitest';

/** A local Secrets Manager with empty secrets, and a client without retries; both end with the test. */
export async function startSecrets(...names: string[]) {
  const emulator = await startSecretsManager();
  const { endpoint } = emulator;
  const client = new SecretsManagerClient({ endpoint, region, credentials, maxAttempts: 1 });
  onTestFinished(async () => {
    await emulator.close();
    client.destroy();
  });
  for (const Name of names) await client.send(new CreateSecretCommand({ Name }));
  return { emulator, client };
}
