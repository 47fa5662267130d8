import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { credentials, region } from '../src/account.ts';
import type { Emulator } from '../src/emulators/faults.ts';
import type { Invocation } from '../src/functions/invocation.ts';

/** Deleted when the test ends. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'cdk-local-test-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

/** For an SDK client that does not retry. */
export const clientSettings = (endpoint: string) => ({ endpoint, region, credentials, maxAttempts: 1 });

/** A client of an emulator; `stop` ends both, at the latest with the test. */
export function connect<Client extends { destroy(): void }>(
  emulator: Emulator,
  Client: new (settings: ReturnType<typeof clientSettings>) => Client,
) {
  const client = new Client(clientSettings(emulator.endpoint));
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    client.destroy();
    stopped ??= emulator.close();
    return stopped;
  };
  onTestFinished(stop);
  return { client, stop };
}

export const success: Invocation = { ok: true, payload: 'null' };
export const thrown: Invocation = { ok: false, errorType: 'Error', errorMessage: 'x' };
export const failing = (...ids: string[]): Invocation => ({
  ok: true,
  payload: JSON.stringify({ batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) }),
});
