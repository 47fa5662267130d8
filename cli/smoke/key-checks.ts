import { type PrivateKeyEntry, parseKeySecret } from '../../lambdas/contract/key-secret.ts';
import { CommandError } from '../command-error.ts';
import { isAnyAccepted, rowOf } from '../keys/key-rotation.ts';
import { environmentKey, type NamedKey, signingKeyOf } from '../private-keys.ts';
import { outputOf } from '../target/stack.ts';
import { type Finding, failed, passed, skipped, unanswered } from './check.ts';
import type { Checks } from './checks.ts';
import { type Deployment, stackOption } from './deployment.ts';

/** What signs the events of the run; `undefined` when there is nothing to sign with. */
export type SigningKeyText = string | undefined;

/** Whether the secret holds what webhooks are verified with. Gives the sandbox key to sign with. */
export async function checkKeys(
  checks: Checks,
  deployment: Deployment,
  options: { readonly temporarySandboxKey?: true },
): Promise<SigningKeyText> {
  const { session } = deployment;
  let entries: readonly PrivateKeyEntry[] | undefined;
  await checks.run('live key', async () => {
    entries = await readEntries(deployment);
    return liveFinding(deployment, entries);
  });
  const own = await environmentKey(session);
  let key: NamedKey | undefined;
  await checks.run('sandbox key', () => {
    key = sandboxKeyOf(deployment, entries, own);
    if (key !== undefined) return passed(`the events are signed with ${key.id} of ${key.from}`);
    if (entries === undefined) return unreadable;
    return noSandboxKey(deployment, options.temporarySandboxKey === true);
  });
  return key?.text;
}

async function readEntries({ stack }: Deployment): Promise<readonly PrivateKeyEntry[]> {
  const { openSecret } = await import('../aws/versioned-secret.ts');
  const version = await openSecret(stack, outputOf(stack, 'KeySecretArn')).read();
  // An emulator reads an empty text where AWS finds no value.
  return version === undefined || version.text === '' ? [] : parseKeySecret(version.text);
}

function liveFinding(deployment: Deployment, entries: readonly PrivateKeyEntry[]): Finding {
  const now = deployment.session.now();
  const accepted = entries
    .map((entry) => rowOf(entry, now))
    .filter(({ mode, state }) => mode === 'live' && state !== 'expired');
  if (accepted.length > 0 && isAnyAccepted(entries, 'live', now)) {
    return passed(`the key secret holds ${accepted.map(({ id, state }) => `${id} (${state})`).join(', ')}`);
  }
  const state =
    entries.length === 0 ? 'no key at all: every webhook is answered 503' : 'no accepted live key';
  return failed(`the key secret holds ${state}`, `npx payhooks keys set ${stackOption(deployment)}`);
}

/** The environment's key, when it is a sandbox key that the secret accepts or that nobody could compare. */
function sandboxKeyOf(
  { session }: Deployment,
  entries: readonly PrivateKeyEntry[] | undefined,
  own: NamedKey | undefined,
): NamedKey | undefined {
  const keys = (entries ?? []).map(
    (entry): NamedKey => ({ ...rowOf(entry, session.now()), text: entry.key, from: 'the stack' }),
  );
  const isAccepted =
    entries === undefined || keys.some(({ id, state }) => id === own?.id && state !== 'expired');
  return own?.mode === 'sandbox' && isAccepted ? own : signingKeyOf(keys, 'sandbox');
}

const unreadable = unanswered(
  'the key secret could not be read',
  'with PAYHOOKS_PRIVATE_KEY set to a sandbox key of the stack the events are signed all the same',
);

function noSandboxKey(deployment: Deployment, isTemporaryComing: boolean): Finding {
  if (isTemporaryComing) return skipped('the key secret holds none, so a temporary one is put in');
  const option = stackOption(deployment);
  return failed(
    'no accepted sandbox key, so that no event can be signed without being recorded as real',
    `npx payhooks keys set ${option} (give it the pri_sandbox_… key of the account; live keys stay)`,
    `npx payhooks smoke ${option} --temporary-sandbox-key (a random one, taken out at the end)`,
  );
}

/** Rejects a temporary key where it would be the only key: a secret needs a live key first. */
export function requireLiveKey(deployment: Deployment, entries: readonly PrivateKeyEntry[]): void {
  if (isAnyAccepted(entries, 'live', deployment.session.now())) return;
  const set = `npx payhooks keys set ${stackOption(deployment)}`;
  throw new CommandError('failed', `A temporary key is added to a live key, and there is none: ${set}`);
}
