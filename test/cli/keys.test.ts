import { describe, expect, it } from 'vitest';
import { startLocalStack } from '../doubles/local-stack.ts';
import { runPayhooks, spawnPayhooks } from './payhooks-process.ts';

// sha256("payhooks key id:…"), the first twelve digits, as openssl prints them.
const ids = { old: '45d4491906d1', new: 'ac0d0cdfa3f4', sandbox: '0db7afe7a3c8' } as const;
const both = '{"private_keys":[{"key":"pri_old_key"},{"key":"pri_sandbox_key"}]}';
const day = 24 * 60 * 60 * 1_000;

async function start(keys?: string) {
  const stack = await startLocalStack(keys === undefined ? {} : { keys });
  const payhooks = (argv: readonly string[], stdin = '') =>
    runPayhooks(['keys', ...argv, '--local', stack.url], { stdin });
  return {
    ...stack,
    payhooks,
    entries: async () => JSON.parse((await stack.secret('keys')) ?? '').private_keys,
  };
}

describe('payhooks keys list', () => {
  it('shows ids, modes and states, but no key', async () => {
    const old = '{"key":"pri_old_key","accepted_until":"2026-01-01T00:00:00Z"}';
    const { url } = await start(`{"private_keys":[{"key":"pri_new_key"},${old}]}`);
    const { code, stdout, stderr } = await spawnPayhooks(['keys', 'list', '--local', url]);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['ID', 'MODE', 'ACCEPTED UNTIL', 'STATE', 'LAST USED'],
      [ids.new, 'live', 'further notice', 'current', 'not seen'],
      [ids.old, 'live', '2026-01-01T00:00:00.000Z', 'expired', 'not seen'],
      [''],
    ]);
    expect([code, stderr]).toEqual([0, `local mode at ${url}\n`]);
  });

  it('lists nothing for a secret without a value', async () => {
    const { payhooks } = await start();
    expect(await payhooks(['list'])).toMatchObject({
      code: 0,
      stdout: 'The secret holds no key: every webhook gets a 503.\n',
    });
    expect((await payhooks(['list', '--json'])).stdout).toBe('[]\n');
  });

  it('fails for a malformed secret without quoting it', async () => {
    const { payhooks } = await start('pri_secret with a space');
    const { code, stderr } = await payhooks(['list']);
    expect([code, stderr.includes('The key secret is not JSON')]).toEqual([1, true]);
    expect(stderr).not.toContain('pri_secret with');
  });
});

describe('payhooks keys set', () => {
  it('sets the first key without asking', async () => {
    const { payhooks, entries } = await start();
    expect((await payhooks(['set', '--stdin'], 'pri_new_key\n')).code).toBe(0);
    expect(await entries()).toEqual([{ key: 'pri_new_key' }]);
  });

  it('asks before it replaces a key, and keeps the keys of the other mode', async () => {
    const { payhooks, entries } = await start(both);
    const refused = await payhooks(['set', '--stdin'], 'pri_new_key');
    expect([refused.code, refused.stderr.includes(`Replace ${ids.old}?`)]).toEqual([2, true]);
    expect(await entries()).toEqual(JSON.parse(both).private_keys);
    const done = await payhooks(['set', '--stdin', '--yes'], 'pri_new_key');
    expect(done.code).toBe(0);
    expect(await entries()).toEqual([{ key: 'pri_new_key' }, { key: 'pri_sandbox_key' }]);
    expect(refused.stderr + done.stdout + done.stderr).not.toMatch(/pri_/);
  });

  it('repairs a malformed secret after a confirmation', async () => {
    const { payhooks, entries } = await start('{"something":"else"}');
    expect((await payhooks(['set', '--stdin'], 'pri_new_key')).code).toBe(2);
    expect((await payhooks(['set', '--stdin', '--yes'], 'pri_new_key')).code).toBe(0);
    expect(await entries()).toEqual([{ key: 'pri_new_key' }]);
  });

  it.each(['', 'a key', 'pri_with space', 'pri_a\npri_b'])(
    'refuses %j as a key without quoting it',
    async (given) => {
      const { payhooks, secret } = await start(both);
      const { code, stderr } = await payhooks(['set', '--stdin', '--yes'], given);
      expect(stderr).toContain('Standard input is not a private key; expected pri_');
      expect(code).toBe(2);
      expect(stderr).not.toContain('with space');
      expect(await secret('keys')).toBe(both);
    },
  );

  it('reads PAYHOOKS_PRIVATE_KEY, and without it and without a terminal asks for --stdin', async () => {
    const { payhooks, entries, url } = await start();
    expect((await payhooks(['set'])).stderr).toContain('with --stdin, or in PAYHOOKS_PRIVATE_KEY');
    const env = { PAYHOOKS_PRIVATE_KEY: 'pri_new_key' };
    expect((await runPayhooks(['keys', 'set', '--local', url], { env })).code).toBe(0);
    expect(await entries()).toEqual([{ key: 'pri_new_key' }]);
  });
});

describe('payhooks keys add', () => {
  it.each([
    [[], day],
    [['--overlap', '30m'], 30 * 60 * 1_000],
  ])('accepts the old key for the overlap: %j', async (options, overlap) => {
    const { payhooks, entries } = await start(both);
    const before = Date.now();
    const { code, stdout } = await payhooks(['add', '--stdin', ...options], 'pri_new_key');
    const [first, old, sandbox, ...none] = await entries();
    expect([first, sandbox, none]).toEqual([{ key: 'pri_new_key' }, { key: 'pri_sandbox_key' }, []]);
    const until = Date.parse(old.accepted_until);
    expect(until).toBeGreaterThanOrEqual(before + overlap);
    expect(until).toBeLessThanOrEqual(Date.now() + overlap);
    expect([code, stdout.includes('pri_')]).toEqual([0, false]);
  });

  it.each(['0.5h', '24', 'soon', '91d', '-1h'])('refuses the overlap %s', async (overlap) => {
    const { payhooks, secret } = await start(both);
    const { code, stderr } = await payhooks(['add', '--stdin', `--overlap=${overlap}`], 'pri_new_key');
    expect([code, stderr.includes('Expected a time up to 90 days')]).toEqual([2, true]);
    expect(await secret('keys')).toBe(both);
  });

  it('changes nothing when the key is already current', async () => {
    const { payhooks, secret } = await start(both);
    const { code, stderr } = await payhooks(['add', '--stdin'], 'pri_old_key');
    expect([code, stderr.includes(`${ids.old} is already the current key`)]).toEqual([0, true]);
    expect(await secret('keys')).toBe(both);
  });

  it('loses no key when several are added at once: the others fail and ask to run again', async () => {
    const { payhooks, entries } = await start(both);
    const given = ['pri_a_key', 'pri_b_key', 'pri_c_key'];
    const ended = await Promise.all(given.map((key) => payhooks(['add', '--stdin'], key)));
    const added = given.filter((_, index) => ended[index]?.code === 0);
    const kept = (await entries()).map(({ key }: { readonly key: string }) => key);
    expect(added.length).toBeGreaterThan(0);
    expect(given.filter((key) => kept.includes(key))).toEqual(added);
    for (const { code, stderr } of ended.filter((one) => one.code !== 0)) {
      expect([code, stderr.includes('The secret was changed by someone else')]).toEqual([1, true]);
    }
  });
});

describe('payhooks keys', () => {
  const oneAccount = 'All keys of a stack belong to one account; a second account needs a stack of its own.';

  it.each(['set', 'add'])(
    '%s shows in its help and after the change that a stack has one account',
    async (name) => {
      const { payhooks } = await start(both);
      expect((await payhooks([name, '--help'])).stdout).toContain(oneAccount);
      const { stderr } = await payhooks(
        [name, '--stdin', ...(name === 'set' ? ['--yes'] : [])],
        'pri_new_key',
      );
      expect(stderr).toContain(oneAccount);
    },
  );

  it('add shows that the verifiers have the new key within 10 seconds', async () => {
    const { payhooks } = await start(both);
    const { stderr } = await payhooks(['add', '--stdin'], 'pri_new_key');
    expect(stderr).toContain('The verifiers accept the new key within 10 seconds.');
  });

  it.each([
    [['set', '--stdin', '--yes'], 'pri_new_key'],
    [['expire', ids.old, '--yes'], ''],
  ])('%j shows how long the verifiers still accept the key that ends', async (argv, stdin) => {
    const { payhooks } = await start(both);
    const { stderr } = await payhooks(argv, stdin);
    expect(stderr).toContain('A verifier that knows the former keys uses them for up to 5 minutes,');
    expect(stderr).toContain('in an outage of Secrets Manager for up to 6 hours.');
  });
});

describe('payhooks keys expire', () => {
  it('expires a key at a given time after a confirmation', async () => {
    const { payhooks, entries } = await start(both);
    const expire = ['expire', ids.old, '--at', '2026-12-01T00:00:00Z'];
    const refused = await payhooks(expire);
    expect(refused.stderr).toContain(`Stop accepting ${ids.old} (live) at 2026-12-01T00:00:00.000Z?`);
    expect(refused.stderr).toContain(
      'After that, no live key is accepted, and every live webhook is refused.',
    );
    expect([refused.code, (await payhooks([...expire, '--yes'])).code]).toEqual([2, 0]);
    expect(await entries()).toEqual([
      { key: 'pri_old_key', accepted_until: '2026-12-01T00:00:00.000Z' },
      { key: 'pri_sandbox_key' },
    ]);
  });

  it('refuses a time without a zone, and an unknown id', async () => {
    const { payhooks } = await start(both);
    expect((await payhooks(['expire', ids.old, '--at', '2026-12-01', '--yes'])).code).toBe(2);
    const { code, stderr } = await payhooks(['expire', '000000000000', '--yes']);
    expect(code).toBe(1);
    expect(stderr).toContain(`No key has the id 000000000000. The ids are: ${ids.old}, ${ids.sandbox}.`);
  });
});
