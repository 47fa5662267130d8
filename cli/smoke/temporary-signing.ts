import type { SecretVersion, VersionedSecret } from '../aws/versioned-secret.ts';
import { rowOf } from '../keys/key-rotation.ts';
import { temporaryKeyMilliseconds } from '../limits.ts';
import { type NamedKey, signingKeyOf } from '../private-keys.ts';
import type { CommonOptions } from '../session.ts';
import { outputOf } from '../target/stack.ts';
import { passed, skipped } from './check.ts';
import type { Checks } from './checks.ts';
import type { Deployment } from './deployment.ts';
import { requireLiveKey, type SigningKeyText } from './key-checks.ts';
import { guardSignals } from './signal-guard.ts';
import { entriesOf, TemporaryKey } from './temporary-key.ts';

/** Does the work with a sandbox key that is in the secret for that long, and out whatever comes of it. */
export async function withTemporaryKey(
  checks: Checks,
  deployment: Deployment,
  { options, work }: { options: CommonOptions; work: (key: SigningKeyText) => Promise<void> },
): Promise<void> {
  const { openSecret } = await import('../aws/versioned-secret.ts');
  const secret = openSecret(deployment.stack, outputOf(deployment.stack, 'KeySecretArn'));
  const key = new TemporaryKey(deployment, secret);
  let signing: SigningKeyText;
  let unguard: (() => void) | undefined;
  const takeOut = async (): Promise<void> => {
    if (unguard === undefined) return;
    await takeOutAsCheck(checks, deployment, { key, options });
    unguard();
    unguard = undefined;
  };
  try {
    const { outcome } = await checks.run('temporary key', async () => {
      const found = await prepare(deployment, secret, { id: key.id, options });
      signing = found.own?.text;
      if (found.own) return skipped(`${found.own.id} is in the secret after all, and signs the events`);
      unguard = guardSignals(deployment.session, key);
      const ends = await key.put(found.version);
      signing = key.text;
      return passed(`${key.id} is in the key secret, until ${ends} at the latest`);
    });
    if (outcome !== 'passed') await takeOut();
    await work(signing);
  } finally {
    await takeOut();
  }
}

/** An accepted sandbox key of the secret, or else what the temporary one is put beside. Asks first. */
async function prepare(
  deployment: Deployment,
  secret: VersionedSecret,
  { id, options }: { id: string; options: CommonOptions },
): Promise<{ readonly own?: NamedKey; readonly version?: SecretVersion | undefined }> {
  const { session, stack } = deployment;
  const version = await secret.read();
  const entries = entriesOf(version);
  const keys = entries.map(
    (entry): NamedKey => ({ ...rowOf(entry, session.now()), text: entry.key, from: 'the stack' }),
  );
  const own = signingKeyOf(keys, 'sandbox');
  if (own !== undefined) return { own };
  requireLiveKey(deployment, entries);
  await session.input.confirm(
    `Put the random sandbox key ${id} into the key secret of ${stack.name}?\n` +
      '  It signs sandbox events alone, is taken out at the end of the run, and ends by itself ' +
      `${temporaryKeyMilliseconds / 60_000} minutes after it was put in. The other keys stay.`,
    options,
  );
  return { version };
}

async function takeOutAsCheck(
  checks: Checks,
  { session }: Deployment,
  { key, options }: { key: TemporaryKey; options: CommonOptions },
): Promise<void> {
  const { outcome, says } = await checks.run('key taken out', async () => {
    await key.takeOut();
    return passed(`${key.id} is not in the key secret any more`);
  });
  // What ends the command ends it before the document of --json.
  if (outcome !== 'passed' && options.json) session.terminal.tell(`error: ${says}`);
}
