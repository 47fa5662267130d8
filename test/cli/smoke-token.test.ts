import { expect, it } from 'vitest';
import { writeTokenSecret } from '../../lambdas/contract/token-secret.ts';
import { startLocalStack } from '../doubles/local-stack.ts';
import { runPayhooks } from './payhooks-process.ts';

const given = { clientId: 'shop', clientSecret: 'shop-secret', refreshToken: 'first-refresh' };

/** What is said of the token of a stack, and what mends it. */
async function told(token: string | null | undefined): Promise<string[]> {
  const stack = await startLocalStack(token === undefined ? {} : { token });
  const { stdout, stderr } = await runPayhooks(['smoke', '--local', stack.url]);
  expect(stdout + stderr).not.toMatch(/shop-secret|first-refresh|access-token/);
  const lines = stdout.split('\n');
  const at = lines.findIndex((line) => line.slice(2).startsWith('OAuth token'));
  const mends = lines.slice(at + 1, at + 2).filter((line) => line.startsWith('    → '));
  return at < 0 ? [] : [lines[at] ?? '', ...mends];
}

it('is asked for where the stack has one, and nowhere else', async () => {
  expect(await told(undefined)).toEqual([]);
});

it('is good while its access token has not expired', async () => {
  const expiresAt = Date.parse('2199-01-01T00:00:00Z');
  expect(await told(writeTokenSecret({ ...given, accessToken: 'access-token', expiresAt }))).toEqual([
    '✓ OAuth token            the access token is good until 2199-01-01T00:00:00.000Z',
  ]);
});

it.each([
  ['has expired', { ...given, accessToken: 'access-token', expiresAt: 0 }, 'expired at 1970-01-01T00:00:00'],
  ['was only put in', given, 'the token was never renewed'],
])('is renewed when it %s', async (_, token, says) => {
  const [line = '', mend = ''] = await told(writeTokenSecret(token));
  expect(line).toMatch(/^✗ /);
  expect(line).toContain(says);
  expect(mend).toMatch(/payhooks token refresh --local http/);
});

it.each([
  ['there is none', null, 'the token secret has no value'],
  ['it is no token', '{"client_id":"shop"}', 'the token secret holds no token'],
])('is put in when %s', async (_, text, says) => {
  const [line = '', mend = ''] = await told(text);
  expect(line).toMatch(/^✗ /);
  expect(line).toContain(says);
  expect(mend).toMatch(/payhooks token set --local http/);
});
