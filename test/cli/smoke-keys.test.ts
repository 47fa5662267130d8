import { afterEach, describe, expect, it, vi } from 'vitest';
import { stackName } from '../doubles/deployed-stack.ts';
import { runPayhooks } from './payhooks-process.ts';
import { liveOnly, startSmoke } from './smoke-run.ts';

afterEach(() => vi.unstubAllEnvs());

vi.mock('../../cli/limits.ts', async (original) =>
  (await import('./short-limits.ts')).withShortLimits(original),
);

describe('the keys', () => {
  it('are missed, each with the command that mends it', async () => {
    const { smoke } = await startSmoke(liveOnly);
    const { code, stdout, lineOf } = await smoke();
    expect(lineOf('sandbox key')).toMatch(/^✗ .*no accepted sandbox key/);
    expect(stdout).toContain(`→ npx payhooks smoke --stack ${stackName} --temporary-sandbox-key`);
    expect(lineOf('signed payment')).toMatch(/^– .*there is no sandbox key to sign with/);
    expect(lineOf('foreign signature')).toMatch(/^✓/);
    expect(code).toBe(1);
  });

  it('are not enough without a live one', async () => {
    const { smoke } = await startSmoke('{"private_keys":[{"key":"pri_sandbox_key"}]}');
    const { code, lineOf, stdout } = await smoke();
    expect(lineOf('live key')).toMatch(/^✗ .*holds no accepted live key/);
    expect(stdout).toContain(`→ npx payhooks keys set --stack ${stackName}`);
    expect(code).toBe(1);
  });

  it('are not known when the secret is no list of keys', async () => {
    const { smoke } = await startSmoke('{"private_keys":{}}');
    const { lineOf } = await smoke();
    expect(lineOf('live key')).toMatch(/^✗ .*The key secret is malformed: private_keys has no list/);
    expect(lineOf('sandbox key')).toMatch(/^\? .*the key secret could not be read/);
  });

  it('may come from the environment, when the stack accepts it', async () => {
    await startSmoke();
    const argv = ['smoke', '--stack', stackName];
    const said = async (key: string) =>
      (await runPayhooks(argv, { env: { PAYHOOKS_PRIVATE_KEY: key } })).stdout;
    expect(await said('pri_sandbox_key')).toMatch(/✓ sandbox key +.* of the environment/);
    expect(await said('pri_sandbox_other')).toMatch(/✓ sandbox key +.* of the stack/);
    expect(await said('pri_live_key')).toMatch(/✓ sandbox key +.* of the stack/);
  });

  it.each([
    ['AccessDeniedException', '?', 'they lack a permission', 'smoke --help lists the permissions'],
    ['ThrottlingException', '?', 'AWS answered ThrottlingException', 'run it again in a minute'],
    [
      'ResourceNotFoundException',
      '✗',
      'AWS answered ResourceNotFound',
      'npx cdk deploy -c environmentName=shop --revert-drift',
    ],
    ['InvalidRequestException', '✗', 'AWS answered InvalidRequest', 'aws secretsmanager restore-secret'],
    ['DecryptionFailure', '✗', 'AWS answered DecryptionFailure', 'kms:Decrypt'],
    ['InternalServiceError', '✗', 'AWS answered InternalServiceError', 'run it again'],
  ])('prove nothing when their read ends with %s', async (error, mark, said, mend) => {
    const { smoke, secrets, pipeline } = await startSmoke();
    secrets.before = () => ({ error, message: 'Not this time.' });
    const { code, stdout, lineOf, summary } = await smoke();
    expect(lineOf('live key')).toMatch(new RegExp(`^\\${mark} .*${said}`));
    const lines = stdout.split('\n');
    expect(lines[lines.indexOf(`${lineOf('live key')}`) + 1]).toMatch(new RegExp(`^ {4}→ .*${mend}`));
    expect(lineOf('signed payment')).toMatch(/^– .*there is no sandbox key to sign with/);
    expect(stdout).toContain('→ with PAYHOOKS_PRIVATE_KEY set to a sandbox key of the stack');
    expect(summary).toContain(
      '; the pipeline was not proven (signed payment skipped, order is paid skipped)',
    );
    expect([code, pipeline.posted]).toEqual([1, [403, 403]]);
  });

  it('end the command when the credentials have expired', async () => {
    const { smoke, secrets } = await startSmoke();
    secrets.before = () => ({ error: 'ExpiredTokenException', message: 'It has expired.' });
    const { code, stderr } = await smoke();
    expect([code, stderr.trim().split('\n').at(-1)]).toEqual([
      3,
      'error: AWS refused the credentials (ExpiredTokenException): It has expired.',
    ]);
  });
});
