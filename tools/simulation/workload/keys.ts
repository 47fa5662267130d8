import type { Mode, SecretKey, SecretValue } from '../history.ts';
import { busyMilliseconds } from '../plan.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';

export type Keys = ReturnType<typeof startKeys>;

/** How long both keys are accepted after a rotation. */
const overlapMilliseconds = 10 * 60 * 1_000;

/**
 * The private keys of the account, and the operator who keeps the secret: rotations with an overlap, first in
 * the secret and then at the payment service, a revocation, and a value that cannot be parsed.
 */
export function startKeys({ clock, secret, recorder }: World, random: Random) {
  const keyOf = (mode: Mode): string => `${mode === 'live' ? 'pri_' : 'pri_sandbox_'}${random.uuid()}`;
  const signing: Record<Mode, string> = { live: keyOf('live'), sandbox: keyOf('sandbox') };
  const former: Partial<Record<Mode, string>> = {};
  const values: SecretValue[] = [];
  let keys: SecretKey[] = (['live', 'sandbox'] as const).map((mode) => ({
    ...{ key: signing[mode], mode, acceptedUntil: undefined },
  }));

  function store(stored: SecretKey[] | undefined): void {
    values.push({ at: clock.now(), keys: stored });
    secret.text = stored === undefined ? '{"private_keys":' : textOf(stored);
    recorder.trace(`secret ${stored?.length ?? 'unreadable'}`);
  }

  function rotate(mode: Mode): void {
    recorder.count('key_rotated');
    const key = keyOf(mode);
    former[mode] = signing[mode];
    const acceptedUntil = clock.now() + overlapMilliseconds;
    keys = [
      ...keys.map((old) =>
        old.mode === mode && old.acceptedUntil === undefined ? { ...old, acceptedUntil } : old,
      ),
      { key, mode, acceptedUntil: undefined },
    ];
    store(keys);
    // The payment service changes to the new key once the secret has it.
    clock.after(random.integer(1_000, 30_000), () => {
      signing[mode] = key;
    });
    if (random.chance(0.3)) clock.after(random.integer(40_000, 90_000), () => revoke(mode));
  }

  /** The old key is taken out of the secret before its time. */
  function revoke(mode: Mode): void {
    recorder.count('key_revoked');
    keys = keys.filter((key) => key.mode !== mode || key.acceptedUntil === undefined);
    store(keys);
  }

  function mistype(): void {
    recorder.count('secret_unreadable');
    store(undefined);
    clock.after(random.integer(5_000, 60_000), () => store(keys));
  }

  store(keys);
  if (random.chance(0.5))
    clock.after(random.integer(0, busyMilliseconds), () => rotate(random.pick(['live', 'live', 'sandbox'])));
  if (random.chance(0.1)) clock.after(random.integer(0, busyMilliseconds), mistype);
  return {
    values,
    /** The private key that the payment service signs with now. */
    current: (mode: Mode): string => signing[mode],
    /** The private key that it signed with before; `undefined` without a rotation. */
    former: (mode: Mode): string | undefined => former[mode],
  };
}

const textOf = (keys: readonly SecretKey[]): string =>
  JSON.stringify({
    private_keys: keys.map(({ key, acceptedUntil }) => ({
      key,
      ...(acceptedUntil !== undefined && { accepted_until: new Date(acceptedUntil).toISOString() }),
    })),
  });
