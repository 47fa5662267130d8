import { beforeEach, describe, expect, it, vi } from 'vitest';
import { defaultProvider } from '../../../lambdas/aws/sdk-parts/environment-credentials.ts';

beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'ASIAEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_SESSION_TOKEN', 'token');
});
describe('the credentials of a function', () => {
  it('are the three variables that Lambda sets, and AWS refuses them without the session token', async () => {
    expect(await defaultProvider()()).toEqual({
      accessKeyId: 'ASIAEXAMPLE',
      secretAccessKey: 'secret',
      sessionToken: 'token',
    });
  });

  it.each([undefined, ''])('of a user, as in a test, have no session token (%j)', async (sessionToken) => {
    vi.stubEnv('AWS_SESSION_TOKEN', sessionToken);
    expect(await defaultProvider()()).toEqual({ accessKeyId: 'ASIAEXAMPLE', secretAccessKey: 'secret' });
  });

  it.each(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])('without %s are an error', async (name) => {
    vi.stubEnv(name, undefined);
    await expect(defaultProvider()()).rejects.toThrow(
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not in the environment; Lambda sets both.',
    );
  });
});
