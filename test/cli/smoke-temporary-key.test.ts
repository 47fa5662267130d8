import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { run } from '../../cli/run.ts';
import { createTerminal } from '../../cli/terminal.ts';
import { stackName } from '../doubles/deployed-stack.ts';
import { shortWaits } from './short-waits.ts';
import { bothKeys, liveOnly, startSmoke } from './smoke-run.ts';

const option = '--temporary-sandbox-key';
const refusal = { error: 'AccessDeniedException', message: 'You are not authorized to do that.' };
const expired = { error: 'ExpiredTokenException', message: 'The security token has expired.' };

interface Entry {
  readonly key: string;
  readonly accepted_until?: string;
}
const entriesOf = (secret: string | undefined): readonly Entry[] => JSON.parse(secret ?? '').private_keys;
const listOf = (...entries: readonly Entry[]): string => JSON.stringify({ private_keys: entries });

describe('the temporary sandbox key of payhooks smoke', () => {
  it('signs the events and is removed again; the other keys stay', async () => {
    const { smoke, keys: secret } = await startSmoke(liveOnly);
    const { code, lineOf, summary } = await smoke(option, '--yes');
    expect(lineOf('temporary key')).toMatch(/^✓ temporary key +[0-9a-f]{12} is in the key secret, until /);
    expect(lineOf('refund')).toMatch(/^✓/);
    expect(lineOf('key removed')).toMatch(/^✓/);
    expect([code, summary]).toEqual([0, '24 checks: 23 passed, 0 failed, 1 skipped, 0 unknown']);
    expect(await secret()).toBe(liveOnly);
  });

  it('is removed when a check fails', async () => {
    const { smoke, pipeline, keys: secret } = await startSmoke(liveOnly);
    pipeline.faults.webhook = { status: 500, text: 'broken' };
    const { code, lineOf } = await smoke(option, '--yes');
    expect([code, lineOf('signed payment')?.slice(0, 1)]).toEqual([1, '✗']);
    expect(await secret()).toBe(liveOnly);
  });

  it('is not added without a confirmation', async () => {
    const { smoke, keys: secret } = await startSmoke(liveOnly);
    const { code, stderr } = await smoke(option);
    expect([code, stderr.includes('Add the random sandbox key')]).toEqual([2, true]);
    expect(await secret()).toBe(liveOnly);
  });

  it('is not added to a secret that has no live key', async () => {
    const empty = listOf({ key: 'pri_old_key', accepted_until: '2026-01-01T00:00:00Z' });
    const { smoke, keys: secret } = await startSmoke(empty);
    const { code, lineOf } = await smoke(option, '--yes');
    expect(lineOf('temporary key')).toMatch(/^✗ .*needs a live key in the secret, and there is none/);
    expect([code, await secret()]).toEqual([1, empty]);
  });

  it('is first in the secret, expires after 15 minutes, and restores the signal handlers at the end', async () => {
    const { smoke, secrets, keys: secret } = await startSmoke(liveOnly);
    const handlers = () => ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => process.listenerCount(signal));
    const [before, began] = [handlers(), Date.now()];
    const seen: { during?: readonly Entry[]; handlers?: readonly number[] } = {};
    secrets.before = async (operation) => {
      if (operation !== 'GetSecretValue') return undefined;
      const entries = entriesOf(await secret());
      if (entries.length === 2) Object.assign(seen, { during: entries, handlers: handlers() });
      return undefined;
    };
    await smoke(option, '--yes');
    const [temporary, live] = seen.during ?? [];
    expect(live).toEqual({ key: 'pri_live_key' });
    expect(temporary?.key).toMatch(/^pri_sandbox_smoke_[0-9a-f]{48}$/);
    const minutes = (Date.parse(temporary?.accepted_until ?? '') - began) / 60_000;
    expect(minutes).toBeGreaterThanOrEqual(15);
    expect(minutes).toBeLessThan(16);
    expect([seen.handlers, handlers()]).toEqual([before.map((count) => count + 1), before]);
  });

  it('expires 15 minutes after the confirmation, however long that took', async () => {
    await startSmoke(liveOnly);
    const [out, err] = [new PassThrough(), new PassThrough()];
    const stream = (one: PassThrough) => one as unknown as NodeJS.WriteStream;
    let clock = Date.now();
    const confirmed = clock + 600_000;
    await run(['smoke', '--stack', stackName, option], {
      env: {},
      terminal: createTerminal(stream(out), stream(err)),
      input: {
        isTerminal: true,
        confirm: async () => {
          clock = confirmed;
        },
        line: () => Promise.reject(new Error('not used')),
        secret: () => Promise.reject(new Error('not used')),
        readAll: () => Promise.reject(new Error('not used')),
      },
      now: () => clock,
      defaultLocalUrl: 'http://127.0.0.1:2',
      waits: shortWaits,
    });
    out.end();
    expect(await text(out)).toContain(`until ${new Date(confirmed + 900_000).toISOString()} at the latest`);
  });

  it('restores an expired key that it displaced', async () => {
    const expiredKeys = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((age) => ({
      key: `pri_old_${age}`,
      accepted_until: `2026-01-0${10 - age}T00:00:00.000Z`,
    }));
    const full = listOf({ key: 'pri_live_key' }, ...expiredKeys);
    const { smoke, keys: secret } = await startSmoke(full);
    const { code } = await smoke(option, '--yes');
    expect([code, await secret()]).toEqual([0, full]);
  });

  it('is the only key that is removed when the keys were changed meanwhile', async () => {
    const { smoke, secrets, keys: secret, putKeys } = await startSmoke(liveOnly);
    let writes = 0;
    secrets.before = async (operation) => {
      if (operation === 'PutSecretValue') writes += 1;
      if (operation !== 'UpdateSecretVersionStage' || writes !== 2) return undefined;
      writes += 1;
      await putKeys(listOf(...entriesOf(await secret()), { key: 'pri_live_other' }));
      return undefined;
    };
    const { code, lineOf } = await smoke(option, '--yes');
    expect([code, lineOf('key removed')?.slice(0, 1)]).toEqual([0, '✓']);
    expect(await secret()).toBe(listOf({ key: 'pri_live_key' }, { key: 'pri_live_other' }));
  });

  it('is not added when a second read of the secret finds a sandbox key, which signs instead', async () => {
    const { smoke, secrets, keys: secret } = await startSmoke(bothKeys);
    let reads = 0;
    secrets.before = (operation) => {
      if (operation === 'GetSecretValue') reads += 1;
      return reads === 1 ? refusal : undefined;
    };
    const { code, lineOf } = await smoke(option, '--yes');
    expect(lineOf('live key')).toMatch(/^\? .*credentials lack a permission/);
    expect(lineOf('temporary key')).toMatch(/^– .*the sandbox key [0-9a-f]{12} of the key secret signs/);
    expect([lineOf('refund')?.slice(0, 1), lineOf('key removed'), code]).toEqual(['✓', undefined, 0]);
    expect(await secret()).toBe(bothKeys);
  });
});

describe('a temporary key whose write gets no response', () => {
  /** Loses the first responses to the write, and then returns a fault for everything. */
  const losing = (responses: number, then?: typeof refusal) => {
    let lost = 0;
    return (operation: string, body: string) => {
      const isMove = operation === 'UpdateSecretVersionStage' && body.includes('AWSCURRENT');
      if (isMove && lost < responses) {
        lost += 1;
        return 'lost' as const;
      }
      return lost === responses ? then : undefined;
    };
  };

  it('counts as added when the second attempt finds it there', async () => {
    const { smoke, secrets, keys: secret } = await startSmoke(liveOnly);
    secrets.before = losing(1);
    const { code, lineOf } = await smoke(option, '--yes');
    expect([code, lineOf('temporary key')?.slice(0, 1)]).toEqual([0, '✓']);
    expect(await secret()).toBe(liveOnly);
  });

  it('is removed when every response was lost', async () => {
    const { smoke, secrets, keys: secret } = await startSmoke(liveOnly);
    secrets.before = losing(3);
    const { code, lineOf } = await smoke(option, '--yes');
    expect(lineOf('temporary key')).toMatch(/^✗ .*AWS could not be reached/);
    expect(lineOf('key removed')).toMatch(/^✓ .*is no longer in the key secret/);
    expect([lineOf('signed payment')?.slice(0, 1), code]).toEqual(['–', 4]);
    expect(await secret()).toBe(liveOnly);
  });

  it('is named with the command that ends it when it cannot be removed', async () => {
    const { smoke, secrets, keys: secret } = await startSmoke(liveOnly);
    secrets.before = losing(3, refusal);
    const { code, lineOf } = await smoke(option, '--yes');
    expect(lineOf('key removed')).toMatch(
      /^✗ .*The temporary key ([0-9a-f]{12}) could not be .* at 20.*keys expire \1 --force --stack payhooks-shop/,
    );
    expect([code, entriesOf(await secret())]).toEqual([1, [expect.anything(), { key: 'pri_live_key' }]]);
  });

  it('is named on stderr with --json when the credentials expire meanwhile', async () => {
    const { smoke, secrets } = await startSmoke(liveOnly);
    secrets.before = losing(3, expired);
    const { stderr } = await smoke(option, '--yes', '--json');
    expect(stderr).toMatch(/error: The temporary key ([0-9a-f]{12}) could not be .*keys expire \1 /);
  });
});
