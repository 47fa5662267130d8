import { MalformedSecretError } from '../../lambdas/contract/key-secret.ts';
import { secretRereadCooldownSeconds } from '../../lambdas/contract/limits.ts';
import { keyUseIntervalSeconds } from '../../lambdas/contract/operations-limits.ts';
import type { SecretVersion } from '../../lambdas/ports/secret-versions.ts';
import { explainError } from '../../operator/explain-error.ts';
import {
  type Entries,
  entriesOf,
  entryOf,
  isAnyAccepted,
  keyId,
  modeOf,
  openKeySecret,
  rowOf,
  withNew,
  withOnly,
} from '../../operator/keys.ts';
import { keyOverlapMilliseconds, overlapSecondsMax } from '../../operator/limits.ts';
import { CommandError, type ExitCode } from '../../operator/operator-error.ts';
import { nextCommand, type Stack } from '../../operator/stack/stack.ts';
import { type CommandSetup, examplesOf, expecting, isoTime, yesOption } from '../options.ts';
import { readPrivateKey } from '../private-keys.ts';
import type { CommonOptions, Session } from '../session.ts';
import { describeUse, listKeys, readKeyUses, showKeys, untilRead, useNotes } from './list.ts';

interface InputOptions extends CommonOptions {
  readonly stdin?: true;
  readonly keyFile?: string;
}

const oneAccount = 'All keys of a stack belong to one account; a second account needs a stack of its own.';

const source = `
${oneAccount}
The key comes from standard input with --stdin, from PAYHOOKS_PRIVATE_KEY, or from a prompt that does not
show it; never from an argument.
`;

const unitSeconds = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** Milliseconds. */
const overlap = expecting(
  `a time up to ${overlapSecondsMax / unitSeconds.d} days, such as 90s, 30m, 24h or 7d`,
  (given) => {
    const [, count, unit] = /^(\d{1,7})([smhd])$/.exec(given) ?? [];
    const seconds = Number(count) * unitSeconds[unit as keyof typeof unitSeconds];
    return seconds <= overlapSecondsMax ? seconds * 1_000 : undefined;
  },
);

const overlapHours = keyOverlapMilliseconds / 3_600_000;

const inUse = `
Refuses to end a key that matched a webhook in the ${overlapHours} hours before its end: the payment
service may still sign with it, and its webhooks would be refused.
`;

export function define({ command: keys, action }: CommandSetup): void {
  keys
    .command('list')
    .description('List the keys by id, the first digits of a hash, and when each was last used')
    .addHelpText('after', useNotes + examplesOf('keys list', 'keys list --json'))
    .action(action(listKeys));

  keys
    .command('set')
    .description('Replace all keys of the same mode (asks first if there are any)')
    .option('--stdin', 'read the key from standard input')
    .addOption(yesOption)
    .addHelpText('after', source + examplesOf('keys set', 'keys set --stdin --yes <key.txt'))
    .action(action(setKey));

  keys
    .command('add')
    .description('Start a rotation: accept a new key, and the old ones for a while')
    .option(
      '--overlap <time>',
      'how long the others stay accepted, such as 30m or 7d (default: 24h)',
      overlap,
    )
    .option('--stdin', 'read the key from standard input')
    .addHelpText('after', source + examplesOf('keys add', 'keys add --overlap 7d'))
    .action(action(addKey));

  keys
    .command('expire <id>')
    .description('Stop accepting a key (asks first)')
    .option('--at <time>', 'when to stop, such as 2026-12-01T00:00:00Z (default: now)', isoTime)
    .option('--force', 'also a key that was used within the overlap, for example because it leaked')
    .addOption(yesOption)
    .addHelpText(
      'after',
      inUse + examplesOf('keys expire 9f2c61d0a4be', 'keys expire 9f2c61d0a4be --at 2026-12-01T00:00:00Z'),
    )
    .action(action(expireKey));
}

export async function setKey(session: Session, options: InputOptions): Promise<ExitCode> {
  const secret = await openKeySecret(await session.stack(options));
  const version = await secret.read();
  const prompt = "Private key of this stack's account (it is not shown): ";
  const key = await readPrivateKey(session, { ...options, prompt });
  const former = readable(version);
  const replaced = former?.filter((entry) => modeOf(entry.key) === modeOf(key) && entry.key !== key) ?? [];
  if (former === undefined) {
    await session.input.confirm('Replace the whole key secret? Its value is not a list of keys.', options);
  } else if (replaced.length > 0) {
    const ids = replaced.map((entry) => keyId(entry.key)).join(', ');
    const effect = 'Webhooks signed with a replaced key are refused; `payhooks keys add` leaves an overlap.';
    await session.input.confirm(`Replace ${ids}? ${effect}`, options);
  }
  const entries = withOnly(former ?? [], key);
  await secret.replace(version, entries);
  const notes = [replaced.length > 0 ? `${untilRead} ${oneAccount}` : oneAccount];
  return showKeys(session, options, { entries, notes });
}

/** `undefined` for a secret that holds no list of keys, which `set` repairs. */
function readable(version: SecretVersion | undefined): Entries | undefined {
  try {
    return entriesOf(version);
  } catch (error) {
    if (error instanceof MalformedSecretError) return undefined;
    throw error;
  }
}

async function addKey(session: Session, options: InputOptions & { overlap?: number }): Promise<ExitCode> {
  const { terminal } = session;
  const stack = await session.stack(options);
  const secret = await openKeySecret(stack);
  const version = await secret.read();
  const former = entriesOf(version);
  const prompt = "New private key of this stack's account (it is not shown): ";
  const key = await readPrivateKey(session, { ...options, prompt });
  if (former[0]?.key === key && former[0].acceptedUntil === undefined) {
    terminal.note(`${keyId(key)} is already the current key; nothing was changed.`);
    return showKeys(session, options, { entries: former });
  }
  const now = session.now();
  const overlapEnds = now + (options.overlap ?? keyOverlapMilliseconds);
  const entries = withNew(former, key, { now, overlapEnds });
  await secret.replace(version, entries);
  const when = `The verifiers accept the new key within ${secretRereadCooldownSeconds} seconds.`;
  const next = `${when} Make it the account's key in the dashboard before the others expire.`;
  const missed = `Whether webhooks were missed: ${nextCommand(stack, 'payhooks reconcile')}`;
  return showKeys(session, options, { entries, notes: former.length > 0 ? [next, oneAccount, missed] : [] });
}

interface ExpireOptions extends CommonOptions {
  readonly at?: number;
  readonly force?: true;
}

async function expireKey(session: Session, id: string, options: ExpireOptions): Promise<ExitCode> {
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
