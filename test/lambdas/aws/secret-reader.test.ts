import { type Scripted, startService } from '@payhooks/payment-service/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createSecretReader } from '../../../lambdas/aws/secret-reader.ts';

beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  // The pause before a further attempt is a random part of a second or two.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
const SecretId = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:keys';

/** Reads a secret from a Secrets Manager that responds with this. */
async function read(response: Scripted): Promise<string> {
  const { baseUrl, received } = await startService(response);
  vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', baseUrl);
  const text = await createSecretReader(SecretId)();
  expect(received.map(({ body }) => JSON.parse(body))).toEqual([{ SecretId }]);
  return text;
}

const failure = (__type: string, status = 400): Scripted => ({ status, json: { __type, message: 'pri_x' } });

describe('a secret', () => {
  it('is read as text by its ARN', async () => {
    expect(await read({ json: { SecretString: 'pri_first' } })).toBe('pri_first');
  });

  it.each([
    ['is deleted or has no value', 'ResourceNotFoundException'],
    ['is marked for deletion', 'InvalidRequestException'],
    ['must not be read', 'AccessDeniedException'],
    ['cannot be decrypted', 'DecryptionFailure'],
  ])('that %s is refused, with the name of the error and not its text', async (_, code) => {
    const refused = read(failure(code));
    const cause = { name: code };
    await expect(refused).rejects.toMatchObject({ name: 'SecretRefusedError', code, cause });
    await expect(refused).rejects.toThrow(`Secrets Manager does not return the value: ${code}.`);
  });

  it('that is binary is refused', async () => {
    await expect(read({ json: { SecretBinary: 'cHJpX2ZpcnN0' } })).rejects.toMatchObject({
      name: 'SecretRefusedError',
      code: 'BinarySecret',
    });
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
