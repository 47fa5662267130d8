import { type CheckResult, failed, passed, skipped, unknown } from '../../operator/check-result.ts';
import { type Entries, entriesOf, openKeySecret } from '../../operator/keys/key-secret.ts';
import { environmentKey, type NamedKey, namedKey, signingKeyOf } from '../private-keys.ts';
import type { CheckRunner } from './check-runner.ts';
import { type Deployment, stackOption } from './deployment.ts';

/** The key that signs the events of the run; `undefined` when there is none. */
export type SigningKeyText = string | undefined;

/** Checks the keys that webhooks are verified with. Resolves with the sandbox key to sign with. */
export async function checkKeys(
  runner: CheckRunner,
  deployment: Deployment,
  options: { readonly temporarySandboxKey?: true },
): Promise<SigningKeyText> {
  let entries: Entries | undefined;
  await runner.run('live key', async () => {
    const secret = await openKeySecret(deployment.stack);
    entries = entriesOf(await secret.read());
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
        'to sign the events anyway, set PAYHOOKS_PRIVATE_KEY to a sandbox key of the stack',
      );
    }
    if (options.temporarySandboxKey) return skipped('the key secret holds none, so a temporary one is added');
    return noSandboxKey(deployment);
  });
  return key?.text;
}

const acceptedKeys = ({ session }: Deployment, entries: Entries): readonly NamedKey[] =>
  entries.map((entry) => namedKey(entry, session.now())).filter(({ state }) => state !== 'expired');

/** The key of the stack that signs sandbox events. */
export const stackSandboxKey = (deployment: Deployment, entries: Entries): NamedKey | undefined =>
  signingKeyOf(acceptedKeys(deployment, entries), 'sandbox');

function liveResult(deployment: Deployment, entries: Entries): CheckResult {
  const live = acceptedKeys(deployment, entries).filter(({ mode }) => mode === 'live');
  if (live.length > 0) {
    return passed(`the key secret holds ${live.map(({ id, state }) => `${id} (${state})`).join(', ')}`);
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
  const accepted = acceptedKeys(deployment, entries ?? []);
  const isAccepted = entries === undefined || accepted.some(({ id }) => id === own?.id);
  return own?.mode === 'sandbox' && isAccepted ? own : signingKeyOf(accepted, 'sandbox');
}

function noSandboxKey(deployment: Deployment): CheckResult {
  const option = stackOption(deployment);
  return failed(
    'no accepted sandbox key, and an event signed with a live key would be recorded as real',
    `npx payhooks keys set ${option} (give it the pri_sandbox_… key of the account; live keys stay)`,
    `npx payhooks smoke ${option} --temporary-sandbox-key (adds a random key and removes it at the end)`,
  );
}
