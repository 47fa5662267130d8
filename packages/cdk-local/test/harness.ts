import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { onTestFinished } from 'vitest';
import { credentials, region } from '../src/account.ts';
import { startSecretsManager } from '../src/emulators/secrets-manager.ts';
import type { Invocation } from '../src/functions/invocation.ts';

/** Deleted when the test ends. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'cdk-local-test-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

/** For an SDK client that does not retry. */
export const clientSettings = (endpoint: string) => ({ endpoint, region, credentials, maxAttempts: 1 });

/** An emulator and its client; both end with the test. */
export async function startSecrets(file?: string) {
  const emulator = await startSecretsManager(file);
  const client = new SecretsManager(clientSettings(emulator.endpoint));
  const stop = async (): Promise<void> => {
    client.destroy();
    await emulator.close();
  };
  onTestFinished(stop);
  return { emulator, client, stop };
}

export const success: Invocation = { ok: true, payload: 'null' };
export const thrown: Invocation = { ok: false, errorType: 'Error', errorMessage: 'x' };
export const failing = (...ids: string[]): Invocation => ({
  ok: true,
  payload: JSON.stringify({ batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) }),
});
