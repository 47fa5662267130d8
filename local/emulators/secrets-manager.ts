import { startAwsJson } from './aws-json.ts';
import type { Emulator } from './dynamodb.ts';
import { createSecretStore } from './secrets-store.ts';

/** What the real service allows for a secret is 64 KB; the rest of a request is names. */
const requestBytesMax = 256 * 1024;

/**
 * A Secrets Manager on a free loopback port, in memory or kept in `file`: CreateSecret, GetSecretValue,
 * PutSecretValue, DescribeSecret and UpdateSecretVersionStage. No package emulates it.
 */
export async function startSecretsManager(file?: string): Promise<Emulator> {
  const operations = { ...(await createSecretStore(file)) };
  return startAwsJson({ target: 'secretsmanager', operations, requestBytesMax });
}
