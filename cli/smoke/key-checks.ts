import { type PrivateKeyEntry, parseKeySecret } from '../../lambdas/contract/key-secret.ts';
import type { SecretVersion } from '../aws/versioned-secret.ts';
import { rowOf } from '../keys/key-rotation.ts';
import { environmentKey, type NamedKey, signingKeyOf } from '../private-keys.ts';
import { outputOf } from '../target/stack.ts';
import { type CheckResult, failed, passed, skipped, unknown } from './check-result.ts';
import type { CheckRunner } from './check-runner.ts';
import { type Deployment, stackOption } from './deployment.ts';

/** The key that signs the events of the run; `undefined` when there is none. */
export type SigningKeyText = string | undefined;

type Entries = readonly PrivateKeyEntry[];

/** Checks the keys that webhooks are verified with. Resolves with the sandbox key to sign with. */
export async function checkKeys(
  runner: CheckRunner,
  deployment: Deployment,
  options: { readonly temporarySandboxKey?: true },
): Promise<SigningKeyText> {
  let entries: Entries | undefined;
  await runner.run('live key', async () => {
    const { openSecret } = await import('../aws/versioned-secret.ts');
    const { stack } = deployment;
    entries = entriesOf(await openSecret(stack, outputOf(stack, 'KeySecretArn')).read());
    return liveResult(deployment, entries);
  });
  const own = await environmentKey(deployment.session);
  let key: NamedKey | undefined;
  await runner.run('sandbox key', () => {
    key = sandboxKeyOf(deployment, entries, own);
    if (key !== undefined) return passed(`the events are signed with ${key.id} of ${key.from}`);
    if (entries === undefined) {
      return unknown(
        'the key secret could not be read',
        'to sign the events all the same, set PAYHOOKS_PRIVATE_KEY to a sandbox key of the stack',
      );
    }
    if (options.temporarySandboxKey) return skipped('the key secret holds none, so a temporary one is added');
    return noSandboxKey(deployment);
  });
  return key?.text;
}

/** The keys of a secret; an emulator returns an empty text where AWS finds no value. */
export const entriesOf = (version: SecretVersion | undefined): Entries =>
  version?.text ? parseKeySecret(version.text) : [];

/** The key of the stack that signs sandbox events. */
export function stackSandboxKey({ session }: Deployment, entries: Entries): NamedKey | undefined {
  const keys = entries.map(
    (entry): NamedKey => ({ ...rowOf(entry, session.now()), text: entry.key, from: 'the stack' }),
  );
  return signingKeyOf(keys, 'sandbox');
}

function liveResult(deployment: Deployment, entries: Entries): CheckResult {
  const now = deployment.session.now();
  const accepted = entries
    .map((entry) => rowOf(entry, now))
    .filter(({ mode, state }) => mode === 'live' && state !== 'expired');
  if (accepted.length > 0) {
    return passed(`the key secret holds ${accepted.map(({ id, state }) => `${id} (${state})`).join(', ')}`);
  }
  const what = entries.length === 0 ? 'no key, so every webhook gets a 503' : 'no accepted live key';
  return failed(`the key secret holds ${what}`, `npx payhooks keys set ${stackOption(deployment)}`);
}

/** The environment's key, if it is a sandbox key that the secret accepts or the secret could not be read. */
function sandboxKeyOf(
  deployment: Deployment,
  entries: Entries | undefined,
  own: NamedKey | undefined,
): NamedKey | undefined {
  const now = deployment.session.now();
  const accepted = (entries ?? [])
    .map((entry) => rowOf(entry, now))
    .filter(({ state }) => state !== 'expired');
  const isAccepted = entries === undefined || accepted.some(({ id }) => id === own?.id);
  return own?.mode === 'sandbox' && isAccepted ? own : stackSandboxKey(deployment, entries ?? []);
}

function noSandboxKey(deployment: Deployment): CheckResult {
  const option = stackOption(deployment);
  return failed(
    'no accepted sandbox key, and an event signed with a live key would be recorded as real',
    `npx payhooks keys set ${option} (give it the pri_sandbox_… key of the account; live keys stay)`,
    `npx payhooks smoke ${option} --temporary-sandbox-key (adds a random key and removes it at the end)`,
  );
}
