import { describe, expect, it } from 'vitest';
import { withNew } from '../../operator/keys.ts';
import { noPermission, type Operations } from '../doubles/operations-server.ts';
import { startLocalMode } from './local-mode.ts';
import { runPayhooks, spawnPayhooks } from './payhooks-process.ts';

// sha256("payhooks key id:…"), the first twelve digits, as openssl prints them.
const ids = { old: '45d4491906d1', new: 'ac0d0cdfa3f4', sandbox: '0db7afe7a3c8' } as const;
const both = '{"private_keys":[{"key":"pri_old_key"},{"key":"pri_sandbox_key"}]}';
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const from = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

async function start(keys?: string, operations?: Operations) {
  const stack = await startLocalMode({ ...(keys && { keys }), ...(operations && { operations }) });
  const payhooks = (argv: readonly string[], stdin = '') => stack.payhooks(['keys', ...argv], { stdin });
  const entries = async () => JSON.parse((await stack.secret('keys')) ?? '').private_keys;
  return { ...stack, payhooks, entries };
}

/** A rotation: the old key is accepted for the overlap, next to the new one. */
const rotation = (acceptedUntil = from(20 * hour)) =>
  JSON.stringify({
    private_keys: [
      { key: 'pri_new_key' },
      { key: 'pri_old_key', accepted_until: acceptedUntil },
      { key: 'pri_sandbox_key' },
    ],
  });

/** The keys that have matched, each with how long ago. */
const used =
  (uses: Readonly<Record<string, number>>): Operations =>
  () => ({
    body: {
      keys: Object.entries(uses).map(([key_id, milliseconds]) => ({
        ...{ mode: 'live', key_id, last_matched_at: from(-milliseconds - 1_000) },
      })),
    },
  });

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

  it('shows when each key last matched a webhook', async () => {
    const { payhooks } = await start(rotation(), used({ [ids.new]: 12 * minute, [ids.old]: 3 * hour }));
    const { stdout } = await payhooks(['list']);
    const [, ...rows] = stdout.split('\n').map((line) => line.split(/ {2,}/).at(-1));
    expect(rows[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\dZ \(12 min ago\)$/);
    expect(rows[1]).toMatch(/ \(3 h ago\)$/);
    expect(rows[2]).toBe('not seen');
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    const json = JSON.parse((await payhooks(['list', '--json'])).stdout);
    expect(json).toMatchObject([
      ...[{ state: 'current' }, { state: 'overlap' }],
      { id: ids.sandbox, last_matched_at: null },
    ]);
  });

  it('shows the keys, and why their use is not known, to an operator without the permission', async () => {
    const { payhooks } = await start(rotation(), () => noPermission);
    const { code, stdout, stderr } = await payhooks(['list']);
    expect([code, stdout.includes('LAST USED'), stdout.includes(ids.old)]).toEqual([0, false, true]);
    expect(stderr).toMatch(/When the keys were last used is not known\. .*403/);
  });

  it('lists nothing for a secret without a value', async () => {
    const { payhooks } = await start();
    expect((await payhooks(['list'])).stdout).toBe('The secret holds no key: every webhook gets a 503.\n');
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
  it('asks before it replaces a key, and keeps the keys of the other mode', async () => {
    const { payhooks, entries } = await start(both);
    const refused = await payhooks(['set', '--stdin'], 'pri_new_key');
    expect([refused.code, refused.stderr.includes(`Replace ${ids.old}?`)]).toEqual([2, true]);
    expect(await entries()).toEqual(JSON.parse(both).private_keys);
    const done = await payhooks(['set', '--stdin', '--yes'], 'pri_new_key\n');
    expect(await entries()).toEqual([{ key: 'pri_new_key' }, { key: 'pri_sandbox_key' }]);
    expect(refused.stderr + done.stdout + done.stderr).not.toMatch(/pri_/);
    expect(done.stderr).toContain('A verifier that knows the former keys uses them for up to 5 minutes,');
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
      expect([code, stderr.includes('with space')]).toEqual([2, false]);
      expect(await secret('keys')).toBe(both);
    },
  );

  it('sets the first key from PAYHOOKS_PRIVATE_KEY without asking, and needs --stdin for another', async () => {
    const { payhooks, entries, url } = await start();
    expect((await payhooks(['set'])).stderr).toContain('with --stdin, or in PAYHOOKS_PRIVATE_KEY');
    const env = { PAYHOOKS_PRIVATE_KEY: 'pri_new_key' };
    const { code, stderr } = await runPayhooks(['keys', 'set', '--local', url], { env });
    expect([code, await entries()]).toEqual([0, [{ key: 'pri_new_key' }]]);
    expect(stderr).toContain('All keys of a stack belong to one account');
  });
});

describe('payhooks keys add', () => {
  it.each([
    [[], day],
    [['--overlap', '30m'], 30 * minute],
  ])('accepts the old key for the overlap: %j', async (options, overlap) => {
    const { payhooks, entries } = await start(both);
    const before = Date.now();
    const { code, stdout, stderr } = await payhooks(['add', '--stdin', ...options], 'pri_new_key');
    const [first, old, sandbox, ...none] = await entries();
    expect([first, sandbox, none]).toEqual([{ key: 'pri_new_key' }, { key: 'pri_sandbox_key' }, []]);
    const until = Date.parse(old.accepted_until);
    expect(until).toBeGreaterThanOrEqual(before + overlap);
    expect(until).toBeLessThanOrEqual(Date.now() + overlap);
    expect([code, stdout.includes('pri_')]).toEqual([0, false]);
    expect(stderr).toContain('The verifiers accept the new key within 10 seconds.');
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

  const now = Date.UTC(2026, 10, 21, 12, 0, 0);
  const times = { now, overlapEnds: now + day };

  it('does not postpone the end of another key, and lists a key that was listed once, without an end', () => {
    const former = [{ key: 'pri_b' }, { key: 'pri_a', acceptedUntil: now + hour }];
    expect(withNew(former, 'pri_c', times)[2]).toEqual({ key: 'pri_a', acceptedUntil: now + hour });
    const again = [{ key: 'pri_a' }, { key: 'pri_b', acceptedUntil: Date.UTC(2026, 10, 22, 12, 0, 0) }];
    expect(withNew(former, 'pri_a', times)).toEqual(again);
  });

  it('drops the key that expired first when there are ten, and fails when ten are accepted', () => {
    const ages = [1, 2, 3, 4, 5, 6, 7, 8];
    const ended = ages.map((age) => ({ key: `pri_${age}`, acceptedUntil: now - age * hour }));
    const next = withNew([{ key: 'pri_live' }, ...ended, { key: 'pri_sandbox_a' }], 'pri_new', times);
    expect(next.map(({ key }) => key)).not.toContain('pri_8');
    expect(next).toHaveLength(10);
    const accepted = Array.from({ length: 10 }, (_, index) => ({ key: `pri_${index}` }));
    expect(() => withNew(accepted, 'pri_new', times)).toThrow('The secret holds 10 accepted keys');
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

  it('refuses to end a key that was used within the overlap, and shows when and what to do', async () => {
    const { payhooks, url, secret } = await start(rotation(), used({ [ids.old]: 3 * hour }));
    const before = await secret('keys');
    const { code, stdout, stderr } = await payhooks(['expire', ids.old, '--yes']);
    expect([code, stdout, await secret('keys')]).toEqual([1, '', before]);
    expect(stderr).toMatch(/used within the overlap of 24 hours: it last .* \(3 h ago\), or up to 5 minutes/);
    expect(stderr).toContain(`npx payhooks keys list --local ${url} shows no use of ${ids.old}`);
    expect(stderr).toContain('If the key leaked, expire it all the same with --force.');
  });

  it.each([
    { title: 'that was not used for the overlap', uses: { [ids.old]: 25 * hour }, argv: [] },
    { title: 'that was never seen', uses: { [ids.new]: minute }, argv: [] },
    { title: 'that is in use, with --force', uses: { [ids.old]: minute }, argv: ['--force'] },
    { title: 'that is in use, later than it would', uses: { [ids.old]: minute }, at: from(21 * hour) },
    { title: 'the overlap after its last use', uses: { [ids.old]: 19 * hour }, at: from(6 * hour) },
  ])('ends a key $title', async ({ uses, argv = [], at }) => {
    const { payhooks, entries } = await start(rotation(), used(uses));
    const expire = ['expire', ids.old, ...(at === undefined ? [] : ['--at', at]), '--yes', ...argv];
    expect((await payhooks(expire)).code).toBe(0);
    const until = Date.parse((await entries())[1].accepted_until);
    if (at === undefined) expect(until).toBeLessThanOrEqual(Date.now());
    else expect(until).toBe(Date.parse(at));
  });

  it('refuses when the use of the key is not known, and offers --force', async () => {
    const { payhooks } = await start(rotation(), () => noPermission);
    const { code, stderr } = await payhooks(['expire', ids.old, '--yes']);
    expect(code).toBe(3);
    expect(stderr).toMatch(new RegExp(`When ${ids.old} was last used is not known\\.[^]* --force`));
    expect((await payhooks(['expire', ids.old, '--force', '--yes'])).code).toBe(0);
  });
});
