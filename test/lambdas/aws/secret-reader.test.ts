import type { Scripted } from '@payhooks/payment-service/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createSecretReader } from '../../../lambdas/aws/secret-reader.ts';
import { startAws } from '../../doubles/started-function.ts';

// The pause before a further attempt is a random part of a second or two.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
const SecretId = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:keys';

/** Reads a secret from a Secrets Manager that responds with this. */
async function read(response: Scripted): Promise<string> {
  const { inputs } = await startAws(response);
  const text = await createSecretReader(SecretId)();
  expect(inputs()).toEqual([{ SecretId }]);
  return text;
}

const failure = (__type: string, status = 400): Scripted => ({ status, json: { __type, message: 'pri_x' } });

describe('a secret', () => {
  it('is read as text by its ARN', async () => {
    expect(await read({ json: { SecretString: 'pri_first' } })).toBe('pri_first');
  });

  const binary: Scripted = { json: { SecretBinary: 'cHJpX2ZpcnN0' } };
  it.each<[string, string, Scripted?]>([
    ['is deleted or has no value', 'ResourceNotFoundException'],
    ['is marked for deletion', 'InvalidRequestException'],
    ['must not be read', 'AccessDeniedException'],
    ['cannot be decrypted', 'DecryptionFailure'],
    ['is binary', 'BinarySecret', binary],
  ])('that %s is refused, with the name of the error and not its text', async (_, code, given) => {
    const message = `Secrets Manager does not return the value: ${code}.`;
    const refused = read(given ?? failure(code));
    await expect(refused).rejects.toMatchObject({ name: 'SecretRefusedError', code, message });
  });

  it.each<[string, Scripted, string]>([
    ['throttles', failure('ThrottlingException'), 'ThrottlingException'],
    ['has an internal error', failure('InternalServiceError', 500), 'InternalServiceError'],
    ['responds with an unknown error', failure('SomethingNewException'), 'SomethingNewException'],
    ['closes the connection', { fault: 'cut' }, 'TimeoutError'],
  ])('is not refused while Secrets Manager %s', async (_, response, name) => {
    await expect(read(response)).rejects.toMatchObject({ name });
  });
});
