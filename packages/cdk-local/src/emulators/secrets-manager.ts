import { startAwsJson } from './aws-json.ts';
import type { Emulator } from './dynamodb.ts';
import type { InvokeRotation } from './secrets-rotation.ts';
import { createSecretStore } from './secrets-store.ts';

export interface SecretsManagerEmulator extends Emulator {
  /** Names the function that rotates a secret; whoever asks for a rotation then gets one. */
  rotateWith(secretArn: string, invoke: InvokeRotation): void;
}

/** What the real service allows for a secret is 64 KB; the rest of a request is names. */
const requestBytesMax = 256 * 1024;

/**
 * A Secrets Manager on a free loopback port, in memory or kept in `file`: CreateSecret, GetSecretValue,
 * PutSecretValue, DescribeSecret, UpdateSecretVersionStage and RotateSecret, without schedules. No package
 * emulates it.
 */
export async function startSecretsManager(file?: string): Promise<SecretsManagerEmulator> {
  const { operations, rotations } = await createSecretStore(file);
  const { endpoint, close } = await startAwsJson({
    target: 'secretsmanager',
    operations: { ...operations },
    requestBytesMax,
  });
  return {
    endpoint,
    rotateWith: rotations.rotateWith,
    async close() {
      await rotations.stop();
      await close();
    },
  };
}
