import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { credentials, region, startSecretsManager } from '@payhooks/cdk-local';
import { onTestFinished } from 'vitest';

/** A local Secrets Manager and a client of it that asks once; both go with the test. */
export async function startSecrets() {
  const emulator = await startSecretsManager();
  const { endpoint } = emulator;
  const client = new SecretsManagerClient({ endpoint, region, credentials, maxAttempts: 1 });
  onTestFinished(async () => {
    await emulator.close();
    client.destroy();
  });
  return { emulator, client };
}
