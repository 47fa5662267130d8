import { describe, expect, it } from 'vitest';
import { stackName, startDeployedStack } from '../doubles/deployed-stack.ts';
import { startLocalStack } from '../doubles/local-stack.ts';
import { noPermission, type Operations } from '../doubles/operations-server.ts';
import { runPayhooks } from './payhooks-process.ts';

// sha256("payhooks key id:…"), the first twelve digits, as openssl prints them.
const ids = { old: '45d4491906d1', new: 'ac0d0cdfa3f4', sandbox: '0db7afe7a3c8' } as const;
const minute = 60_000;
const hour = 60 * minute;
const ago = (milliseconds: number): string => new Date(Date.now() - milliseconds - 1_000).toISOString();
const from = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

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
        mode: 'live',
        key_id,
        last_matched_at: ago(milliseconds),
      })),
    },
  });

async function start(operations: Operations, keys = rotation()) {
  const stack = await startLocalStack({ keys, operations });
  const payhooks = (...argv: string[]) => runPayhooks(['keys', ...argv, '--local', stack.url]);
  const untilOfOld = async () =>
    JSON.parse((await stack.secret('keys')) ?? '').private_keys[1].accepted_until;
  return { ...stack, payhooks, untilOfOld };
}

describe('payhooks keys list', () => {
  it('shows when each key last matched a webhook', async () => {
    const { payhooks } = await start(used({ [ids.new]: 12 * minute, [ids.old]: 3 * hour }));
    const { code, stdout } = await payhooks('list');
    expect(code).toBe(0);
    const [head = '', ...rows] = stdout.split('\n').map((line) => line.split(/ {2,}/).at(-1));
    expect(head).toBe('LAST USED');
    expect(rows[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\dZ \(12 min ago\)$/);
    expect(rows[1]).toMatch(/ \(3 h ago\)$/);
    expect(rows[2]).toBe('not seen');
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it('prints the time with --json, and null for a key that was not seen', async () => {
    const at = '2026-11-22T02:10:00.000Z';
    const { payhooks } = await start(() => ({
      body: { keys: [{ mode: 'live', key_id: ids.old, last_matched_at: at }] },
    }));
    const rows = JSON.parse((await payhooks('list', '--json')).stdout);
    expect(rows.map((row: { last_matched_at: unknown }) => row.last_matched_at)).toEqual([null, at, null]);
  });

  it('shows the keys, and why their use is not known, to an operator without the permission', async () => {
    const { payhooks } = await start(() => noPermission);
    const { code, stdout, stderr } = await payhooks('list');
    expect([code, stdout.includes('LAST USED')]).toEqual([0, false]);
    expect(stdout).toContain(ids.old);
    expect(stderr).toMatch(/When the keys were last used is not known\. .*403/);
  });

  it('states in its help how exact the time is', async () => {
    const { payhooks } = await start(used({}));
    expect((await payhooks('list', '--help')).stdout).toMatch(/stored at most once in\n5 minutes/);
  });
});

describe('payhooks keys expire', () => {
  it('refuses to end a key that was used within the overlap, and names the other keys and what to do', async () => {
    const until = from(20 * hour);
    const { payhooks, url, untilOfOld } = await start(
      used({ [ids.old]: 3 * hour, [ids.new]: 2 * minute }),
      rotation(until),
    );
    const { code, stdout, stderr } = await payhooks('expire', ids.old, '--yes');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      new RegExp(
        `${ids.old} \\(live\\) was used within the overlap of 24 hours: it last matched a webhook at ` +
          '\\S+Z \\(3 h ago\\), or up to 5 minutes later\\.',
      ),
    );
    expect(stderr).toMatch(new RegExp(`^ {2}${ids.new} last matched at \\S+Z \\(2 min ago\\)$`, 'm'));
    expect(stderr).not.toContain(ids.sandbox);
    expect(stderr).toContain("Make the new key the account's key in the payment service's dashboard");
    expect(stderr).toContain(`npx payhooks keys list --local ${url} shows no use of ${ids.old}`);
    expect(stderr).toContain('If the key leaked, expire it all the same with --force.');
    expect(await untilOfOld()).toBe(until);
  });

  it.each([
    ['that was not used for the overlap', { [ids.old]: 25 * hour }],
    ['that was never seen', { [ids.new]: minute }],
  ])('ends a key %s', async (_, uses) => {
    const { payhooks, untilOfOld } = await start(used(uses));
    expect((await payhooks('expire', ids.old, '--yes')).code).toBe(0);
    expect(Date.parse(await untilOfOld())).toBeLessThanOrEqual(Date.now());
  });

  it('ends a key that is in use with --force', async () => {
    const { payhooks, untilOfOld } = await start(used({ [ids.old]: minute }));
    expect((await payhooks('expire', ids.old, '--force', '--yes')).code).toBe(0);
    expect(Date.parse(await untilOfOld())).toBeLessThanOrEqual(Date.now());
  });

  it('accepts a key for longer although it is in use', async () => {
    const { payhooks, untilOfOld } = await start(used({ [ids.old]: minute }));
    const later = from(21 * hour);
    expect((await payhooks('expire', ids.old, '--at', later, '--yes')).code).toBe(0);
    expect(await untilOfOld()).toBe(later);
  });

  it('ends a key that is in use once the overlap after its last use is over', async () => {
    const { payhooks } = await start(used({ [ids.new]: hour }));
    expect((await payhooks('expire', ids.new, '--at', from(22 * hour), '--yes')).code).toBe(1);
    expect((await payhooks('expire', ids.new, '--at', from(24 * hour), '--yes')).code).toBe(0);
  });

  it('refuses when the use of the key is not known, and offers --force', async () => {
    const { payhooks } = await start(() => noPermission);
    const { code, stderr } = await payhooks('expire', ids.old, '--yes');
    expect(code).not.toBe(0);
    expect(stderr).toContain(`When ${ids.old} was last used is not known.`);
    expect(stderr).toContain('--force');
    expect((await payhooks('expire', ids.old, '--force', '--yes')).code).toBe(0);
  });

  it('reads the use of the keys of a deployed stack', async () => {
    const { state } = await startDeployedStack({ keys: rotation() });
    state.operations = used({ [ids.old]: hour });
    const { code, stderr } = await runPayhooks(['keys', 'expire', ids.old, '--yes', '--stack', stackName]);
    expect([code, stderr.includes(`npx payhooks keys list --stack ${stackName} shows no use`)]).toEqual([
      1,
      true,
    ]);
  });
});
