import { randomUUID } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createSecretVersions } from '../../lambdas/aws/secret-versions.ts';
import { type SecretVersion, stages } from '../../lambdas/ports/secret-versions.ts';
import { CommandError } from '../operator-error.ts';
import type { Stack } from '../stack/stack.ts';
import { serviceOptions } from './client-options.ts';
import { isAwsError } from './errors.ts';

/** A secret that others may change at the same time. */
export function openSecret(stack: Stack, SecretId: string) {
  const client = new SecretsManagerClient(serviceOptions(stack, 'secretsManager'));
  const versions = createSecretVersions(SecretId, client);

  /** The current value; `undefined` if there was never one. */
  async function read(): Promise<SecretVersion | undefined> {
    const current = await client.send(new GetSecretValueCommand({ SecretId })).catch((error: unknown) => {
      if (isWithoutValue(error)) return undefined;
      throw error;
    });
    if (current === undefined) return undefined;
    const { SecretString, VersionId = '' } = current;
    if (SecretString === undefined) throw new CommandError('failed', 'The secret is binary; expected text.');
    return { text: SecretString, versionId: VersionId };
  }

  /**
   * Replaces the value if it is still `former`; otherwise rejects and changes nothing.
   * Secrets Manager has no conditional put, but moving a label names the version that it is taken from, and
   * Secrets Manager checks that. So this writes the value as AWSPENDING, then moves AWSCURRENT. With both on
   * one version, no rotation counts as under way: a value that is written ends one that is stuck.
   */
  async function replace(former: SecretVersion | undefined, text: string): Promise<void> {
    const versionId = randomUUID();
    if (former === undefined) {
      if ((await read()) !== undefined) throw changedMeanwhile();
      await versions.putPending({ versionId, text }, stages.current);
      return;
    }
    await versions.putPending({ versionId, text });
    try {
      await versions.makeCurrent({ to: versionId, from: former.versionId });
    } catch (cause) {
      // Another writer took AWSCURRENT; or AWSPENDING, and a version without a label is deleted.
      if (
        !isAwsError(cause, 'InvalidParameterException') &&
        !isAwsError(cause, 'ResourceNotFoundException')
      ) {
        // A rotation would take what this command did not store.
        await versions.release(versionId).catch(() => undefined);
        throw cause;
      }
      // When a response was lost, the SDK tries again and gets this error, although the first try succeeded.
      if ((await read())?.versionId === versionId) return;
      await versions.release(versionId).catch(() => undefined);
      throw changedMeanwhile(cause);
    }
  }

  return { read, replace };
}

/** A secret that does not exist has the same error name. */
const isWithoutValue = (error: unknown): boolean =>
  isAwsError(error, 'ResourceNotFoundException') && /secret value|staging label/i.test(error.message);

const changedMeanwhile = (cause?: unknown): CommandError => {
  const message = 'The secret was changed by someone else at the same time, so nothing was changed.';
  return new CommandError('failed', `${message} Run the command again.`, { cause });
};
