import { keyUseIntervalSeconds } from '../../lambdas/contract/operations-limits.ts';
import { explainError } from '../../operator/explain-error.ts';
import { isAnyAccepted, keyId, modeOf, rowOf, withEnd } from '../../operator/keys/key-rotation.ts';
import { type Entries, entriesOf, openKeySecret } from '../../operator/keys/key-secret.ts';
import { describeUse, readKeyUses } from '../../operator/keys/key-use.ts';
import { keyOverlapMilliseconds } from '../../operator/limits.ts';
import { CommandError, type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { nextCommand, type Stack } from '../../operator/stack/stack.ts';
import type { CommonOptions, Session } from '../session.ts';
import { createTarget } from '../target/target.ts';
import { printKeys, untilRead } from './list.ts';

interface ExpireOptions extends CommonOptions {
  readonly at?: number;
  readonly force?: true;
}

export async function expireKey(session: Session, id: string, options: ExpireOptions): Promise<ExitCode> {
  const at = options.at ?? session.now();
  const stack = await createTarget(session, options).stack();
  const secret = await openKeySecret(stack);
  const version = await secret.read();
  const entries = entriesOf(version);
  const { next, mode } = withEnd(entries, id, at);
  if (!options.force && isShorter(entries, id, at)) await refuseInUse(session, stack, { entries, id, at });
  const last = isAnyAccepted(next, mode, at)
    ? ''
    : ` After that, no ${mode} key is accepted, and every ${mode} webhook is refused.`;
  const moment = new Date(at).toISOString();
  await session.input.confirm(`Stop accepting ${id} (${mode}) at ${moment}?${last}`, options);
  await secret.replace(version, next);
  printKeys(session, next, options);
  if (!options.json) session.terminal.note(untilRead);
  return exitCodes.done;
}

/** Whether the key would end earlier than it does now; to extend it needs no proof. */
function isShorter(entries: Entries, id: string, at: number): boolean {
  const { acceptedUntil = Number.POSITIVE_INFINITY } = entries.find(({ key }) => keyId(key) === id) ?? {};
  return at < acceptedUntil;
}

interface Ending {
  readonly entries: Entries;
  readonly id: string;
  readonly at: number;
}

/** Throws while the key was used within the overlap: the payment service may still sign with it. */
async function refuseInUse({ env, now }: Session, stack: Stack, { entries, id, at }: Ending): Promise<void> {
  const force = 'If the key leaked, expire it all the same with --force.';
  const uses = await readKeyUses(stack).catch((error: unknown) => {
    const { failure, message } = explainError(error, env);
    throw new CommandError(failure, `When ${id} was last used is not known. ${message}\n${force}`);
  });
  const matchedAt = uses.get(id);
  if (matchedAt === undefined || Date.parse(matchedAt) + keyOverlapMilliseconds <= at) return;
  const key = entries.find((entry) => keyId(entry.key) === id)?.key ?? '';
  const others = entries
    .map((entry) => rowOf(entry, now()))
    .filter((row) => row.id !== id && row.mode === modeOf(key) && row.state !== 'expired')
    .map((row) => `  ${row.id} last matched ${useOf(uses.get(row.id), now())}`);
  const lines = [
    `${id} (${modeOf(key)}) was used within the overlap of ${keyOverlapMilliseconds / 3_600_000} hours: ` +
      `it last matched a webhook at ${describeUse(matchedAt, now())}, ` +
      `or up to ${keyUseIntervalSeconds / 60} minutes later.`,
    ...(others.length === 0 ? [`The secret holds no other ${modeOf(key)} key.`] : others),
    "Make the new key the account's key in the payment service's dashboard, and wait until",
    `${nextCommand(stack, 'payhooks keys list')} shows no use of ${id} for that long. ${force}`,
  ];
  throw new CommandError('failed', lines.join('\n'));
}

const useOf = (matchedAt: string | undefined, now: number): string =>
  matchedAt === undefined ? 'never' : `at ${describeUse(matchedAt, now)}`;
