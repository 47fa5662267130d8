import { keyUseIntervalSeconds } from '../../lambdas/contract/operations-limits.ts';
import { explainError } from '../../operator/explain-error.ts';
import { entriesOf, entryOf, isAnyAccepted, openKeySecret, rowOf } from '../../operator/keys.ts';
import { keyOverlapMilliseconds } from '../../operator/limits.ts';
import { CommandError, type ExitCode } from '../../operator/operator-error.ts';
import { nextCommand, type Stack } from '../../operator/stack/stack.ts';
import type { CommonOptions, Session } from '../session.ts';
import { describeUse, readKeyUses, showKeys, untilRead } from './list.ts';

interface ExpireOptions extends CommonOptions {
  readonly at?: number;
  readonly force?: true;
}

export async function expireKey(session: Session, id: string, options: ExpireOptions): Promise<ExitCode> {
  const at = options.at ?? session.now();
  const stack = await session.stack(options);
  const secret = await openKeySecret(stack);
  const version = await secret.read();
  const entries = entriesOf(version);
  const ended = entryOf(entries, id);
  const { mode } = rowOf(ended, at);
  const next = entries.map((entry) => (entry === ended ? { ...entry, acceptedUntil: at } : entry));
  // To extend what is accepted needs no proof.
  const isShorter = at < (ended.acceptedUntil ?? Number.POSITIVE_INFINITY);
  if (isShorter && !options.force) await refuseInUse(session, stack, { id, at });
  const last = isAnyAccepted(next, mode, at)
    ? ''
    : ` After that, no ${mode} key is accepted, and every ${mode} webhook is refused.`;
  const moment = new Date(at).toISOString();
  await session.input.confirm(`Stop accepting ${id} (${mode}) at ${moment}?${last}`, options);
  await secret.replace(version, next);
  return showKeys(session, options, { entries: next, notes: [untilRead] });
}

/** Throws while the key was used within the overlap: the payment service may still sign with it. */
async function refuseInUse(
  { env, now }: Session,
  stack: Stack,
  { id, at }: { readonly id: string; readonly at: number },
): Promise<void> {
  const force = 'If the key leaked, expire it all the same with --force.';
  const uses = await readKeyUses(stack).catch((error: unknown) => {
    const { failure, message } = explainError(error, env);
    throw new CommandError(failure, `When ${id} was last used is not known. ${message}\n${force}`);
  });
  const matchedAt = uses.get(id);
  if (matchedAt === undefined || Date.parse(matchedAt) + keyOverlapMilliseconds <= at) return;
  const lines = [
    `${id} was used within the overlap of ${keyOverlapMilliseconds / 3_600_000} hours: ` +
      `it last matched a webhook at ${describeUse(matchedAt, now())}, ` +
      `or up to ${keyUseIntervalSeconds / 60} minutes later.`,
    "Make the new key the account's key in the payment service's dashboard, and wait until",
    `${nextCommand(stack, 'payhooks keys list')} shows no use of ${id} for that long. ${force}`,
  ];
  throw new CommandError('failed', lines.join('\n'));
}
