import { randomUUID } from 'node:crypto';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import type { SecretVersion } from '../../lambdas/ports/secret-versions.ts';
import { CommandError } from '../operator-error.ts';
import type { Stack } from '../stack/stack.ts';
import { serviceOptions } from './client-options.ts';
import { isAwsError } from './errors.ts';

/**
 * A secret that others may change at the same time. With `endsRotation`, a value that is written ends a
 * rotation that is stuck.
 */
export function openSecret(
  stack: Stack,
  SecretId: string,
  { endsRotation = false }: { readonly endsRotation?: boolean } = {},
) {
  const client = new SecretsManagerClient(serviceOptions(stack, 'secretsManager'));

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

  const moveLabel = (VersionStage: string, RemoveFromVersionId: string, MoveToVersionId?: string) =>
    client.send(
      new UpdateSecretVersionStageCommand({
        SecretId,
        VersionStage,
        RemoveFromVersionId,
        ...(MoveToVersionId !== undefined && { MoveToVersionId }),
      }),
    );

  /** While AWSPENDING and AWSCURRENT are on different versions, a rotation counts as under way. */
  async function endRotation(versionId: string): Promise<void> {
    if (!endsRotation) return;
    const { VersionIdsToStages: labels = {} } = await client.send(new DescribeSecretCommand({ SecretId }));
    const pending = Object.keys(labels).find((id) => labels[id]?.includes('AWSPENDING'));
    if (pending !== undefined && pending !== versionId) await moveLabel('AWSPENDING', pending, versionId);
  }

  /**
   * Replaces the value if it is still `former`; otherwise rejects and changes nothing.
   * Secrets Manager has no conditional put, but moving a label names the version that it is taken from, and
   * Secrets Manager checks that. So this writes the value under another label first, then moves AWSCURRENT.
   */
  async function replace(former: SecretVersion | undefined, SecretString: string): Promise<void> {
    if (former === undefined) {
      if ((await read()) !== undefined) throw changedMeanwhile();
      const { VersionId = '' } = await client.send(new PutSecretValueCommand({ SecretId, SecretString }));
      return endRotation(VersionId);
    }
    const ClientRequestToken = randomUUID();
    // The label is unique, so that two writers do not take each other's.
    const label = `payhooks-${ClientRequestToken}`;
    const version = { SecretId, SecretString, ClientRequestToken, VersionStages: [label] };
    await client.send(new PutSecretValueCommand(version));
    try {
      await moveLabel('AWSCURRENT', former.versionId, ClientRequestToken);
    } catch (cause) {
      if (!isAwsError(cause, 'InvalidParameterException')) throw cause;
      // When a response was lost, the SDK tries again and gets this error, although the first try succeeded.
      if ((await read())?.versionId !== ClientRequestToken) throw changedMeanwhile(cause);
    } finally {
      // A version without a label is deleted; the current version needs no other label.
      await moveLabel(label, ClientRequestToken).catch(() => undefined);
    }
    await endRotation(ClientRequestToken);
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
