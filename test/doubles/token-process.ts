import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { credentials, region } from '@payhooks/cdk-local';
import {
  type Authentication,
  createPaymentServiceClient,
  createTokenExchange,
  refreshingAuthentication,
  type TokenStore,
  type Tokens,
} from '@payhooks/payment-service';
import { createSecretRotation } from '../../lambdas/aws/secret-rotation.ts';
import { rotatedTokenAuthentication } from '../../lambdas/webhook-audit/rotated-token.ts';

/** The message from the parent. This program then requests the account once and reports the outcome. */
export type TokenTask = { readonly baseUrl: string } & (
  | { readonly kind: 'rotated'; readonly endpoint: string; readonly secretArn: string }
  | { readonly kind: 'refreshing'; readonly file: string }
);

export type TokenReport = 'read' | 'asked' | { readonly outcome: string };

const notify = (report: TokenReport): void => void process.send?.(report);

/** Resolves when every process has read the token, so that all of them renew it at once. */
const allHaveRead = Promise.withResolvers<void>();

async function report<Value>(value: Promise<Value>): Promise<Value> {
  const read = await value;
  notify('read');
  await allHaveRead.promise;
  return read;
}

function authenticationOf(task: TokenTask): Authentication {
  if (task.kind === 'rotated') {
    const client = new SecretsManagerClient({ endpoint: task.endpoint, region, credentials });
    const { readTokens, rotate } = createSecretRotation(task.secretArn, client);
    return rotatedTokenAuthentication({
      readTokens: () => report(readTokens()),
      rotate: () => rotate().then(() => notify('asked')),
      pause: () => pause(20),
      now: Date.now,
    });
  }
  const client = { clientId: 'shop', clientSecret: 'shop-secret' };
  const exchange = createTokenExchange({ baseUrl: task.baseUrl, ...client });
  return refreshingAuthentication({ store: fileStore(task.file), exchange });
}

function fileStore(file: string): TokenStore {
  return {
    load: () => report(readFile(file, 'utf8').then((text) => JSON.parse(text) as Tokens)),
    async save(tokens) {
      await writeFile(`${file}.${process.pid}`, JSON.stringify(tokens));
      await rename(`${file}.${process.pid}`, file);
    },
  };
}

process.on('message', async (message: TokenTask | 'go') => {
  if (message === 'go') return allHaveRead.resolve();
  const { baseUrl } = message;
  const client = createPaymentServiceClient({ baseUrl, authentication: authenticationOf(message) });
  const outcome = await client.currentAccount().then(
    () => 'done',
    (error: Error) => `${error.name}: ${error.message}`,
  );
  process.send?.({ outcome } satisfies TokenReport, () => process.disconnect());
});
