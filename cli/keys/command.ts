import type { PrivateKeyEntry } from '../../lambdas/contract/key-secret.ts';
import { MalformedSecretError, parseKeySecret, writeKeySecret } from '../../lambdas/contract/key-secret.ts';
import { secretRereadCooldownSeconds } from '../../lambdas/contract/limits.ts';
import { parseTime } from '../../lambdas/contract/secret-json.ts';
import { CommandError, type ExitCode, exitCodes } from '../command-error.ts';
import { overlapSecondsMax } from '../limits.ts';
import { addCommonOptions, addConfirmation, type CommandSetup, examplesOf } from '../options.ts';
import { readPrivateKey } from '../private-keys.ts';
import type { CommonOptions, Session } from '../session.ts';
import { outputOf } from '../target/stack.ts';
import { createTarget } from '../target/target.ts';
import { isAnyAccepted, keyId, modeOf, rowOf, withEnd, withNew, withOnly } from './key-rotation.ts';

interface InputOptions extends CommonOptions {
  readonly stdin?: true;
  readonly overlap: string;
}

const source = `
The key comes from standard input with --stdin, from PAYHOOKS_PRIVATE_KEY, or from a prompt that does not
show it; never from an argument.
`;

export function addKeys({ program, session, end }: CommandSetup): void {
  const keys = program.command('keys').description('the private keys that webhooks are verified with');
  const command = (nameAndArguments: string) => addCommonOptions(keys.command(nameAndArguments));

  command('list')
    .description('lists the keys by id, a hash')
    .addHelpText('after', examplesOf('keys list', 'keys list --json'))
    .action(async (options) => end(await listKeys(session, options)));

  addConfirmation(command('set'))
    .description('replaces all keys of the same mode; asks first if there are any')
    .option('--stdin', 'reads the key from standard input')
    .addHelpText('after', source + examplesOf('keys set', 'keys set --stdin --yes <key.txt'))
    .action(async (options) => end(await setKey(session, options)));

  command('add')
    .description('starts a rotation: accepts the new key from now on, the others of its mode for a while')
    .option('--stdin', 'reads the key from standard input')
    .option('--overlap <time>', 'how long the others stay accepted, such as 90s, 30m, 24h or 7d', '24h')
    .addHelpText('after', source + examplesOf('keys add', 'keys add --overlap 7d'))
    .action(async (options) => end(await addKey(session, options)));

  addConfirmation(command('expire <id>'))
    .description('stops accepting a key; asks first')
    .option('--at <moment>', 'when to stop, such as 2026-12-01T00:00:00Z (default: now)')
    .addHelpText(
      'after',
      examplesOf('keys expire 9f2c61d0a4be', 'keys expire 9f2c61d0a4be --at 2026-12-01T00:00:00Z'),
    )
    .action(async (id, options) => end(await expireKey(session, id, options)));
}

async function openKeys(session: Session, options: CommonOptions) {
  const stack = await createTarget(session, options).stack();
  const { openSecret } = await import('../aws/versioned-secret.ts');
  const secret = openSecret(stack, outputOf(stack, 'KeySecretArn'));
  const version = await secret.read();
  return {
    version,
    entries: (): readonly PrivateKeyEntry[] => (version === undefined ? [] : parseKeySecret(version.text)),
    write: (entries: readonly PrivateKeyEntry[]) => secret.replace(version, writeKeySecret(entries)),
  };
}

async function listKeys(session: Session, options: CommonOptions): Promise<ExitCode> {
  const { entries } = await openKeys(session, options);
  printKeys(session, entries(), options);
  return exitCodes.done;
}

function printKeys(
  { terminal, now }: Session,
  entries: readonly PrivateKeyEntry[],
  { json }: CommonOptions,
): void {
  const rows = entries.map((entry) => rowOf(entry, now()));
  if (json) {
    terminal.json(rows);
  } else if (rows.length === 0) {
    terminal.print('The secret holds no key: every webhook gets 503.');
  } else {
    const until = (moment: string | null): string => moment ?? 'further notice';
    const cells = rows.map((row) => [row.id, row.mode, until(row.accepted_until), row.state]);
    terminal.table(['ID', 'MODE', 'ACCEPTED UNTIL', 'STATE'], cells);
  }
}

async function setKey(session: Session, options: InputOptions): Promise<ExitCode> {
  const { version, entries, write } = await openKeys(session, options);
  const key = await readPrivateKey(session, { ...options, prompt: 'Private key (it is not shown): ' });
  const former = readable(entries);
  const replaced = former?.filter((entry) => modeOf(entry.key) === modeOf(key) && entry.key !== key);
  if (version !== undefined && former === undefined) {
    await session.input.confirm('Replace the whole key secret? Its value is not a list of keys.', options);
  } else if (replaced !== undefined && replaced.length > 0) {
    const ids = replaced.map((entry) => keyId(entry.key)).join(', ');
    const effect = 'Webhooks signed with a replaced key are refused; `payhooks keys add` leaves an overlap.';
    await session.input.confirm(`Replace ${ids}? ${effect}`, options);
  }
  const next = withOnly(former ?? [], key);
  await write(next);
  printKeys(session, next, options);
  return exitCodes.done;
}

/** `undefined` for a secret that holds no list of keys, which `set` repairs. */
function readable(entries: () => readonly PrivateKeyEntry[]): readonly PrivateKeyEntry[] | undefined {
  try {
    return entries();
  } catch (error) {
    if (error instanceof MalformedSecretError) return undefined;
    throw error;
  }
}

async function addKey(session: Session, options: InputOptions): Promise<ExitCode> {
  const overlap = overlapMilliseconds(options.overlap);
  const { entries, write } = await openKeys(session, options);
  const former = entries();
  const key = await readPrivateKey(session, { ...options, prompt: 'New private key (it is not shown): ' });
  const now = session.now();
  const next = withNew(former, key, { now, overlapEnds: now + overlap });
  if (former[0]?.key === key && former[0].acceptedUntil === undefined) {
    session.terminal.tell(`${keyId(key)} is already the current key; nothing was changed.`);
    printKeys(session, former, options);
    return exitCodes.done;
  }
  await write(next);
  printKeys(session, next, options);
  if (former.length > 0 && !options.json) {
    const when = `The verifiers accept the new key within ${secretRereadCooldownSeconds} seconds.`;
    session.terminal.tell(`${when} Make it the account's key in the dashboard before the others expire.`);
  }
  return exitCodes.done;
}

async function expireKey(
  session: Session,
  id: string,
  options: CommonOptions & { readonly at?: string },
): Promise<ExitCode> {
  const at = options.at === undefined ? session.now() : parseTime(options.at);
  if (at === undefined) {
    throw new CommandError(
      'wrongUsage',
      '--at takes a time in ISO 8601 with a zone, such as 2026-12-01T00:00:00Z.',
    );
  }
  const { entries, write } = await openKeys(session, options);
  const next = withEnd(entries(), id, at);
  const ended = next.find(({ key }) => keyId(key) === id);
  const mode = ended === undefined ? 'live' : modeOf(ended.key);
  const last = isAnyAccepted(next, mode, at)
    ? ''
    : ` Then no ${mode} key is accepted, and every ${mode} webhook is refused.`;
  const moment = new Date(at).toISOString();
  await session.input.confirm(`Stop accepting ${id} (${mode}) at ${moment}?${last}`, options);
  await write(next);
  printKeys(session, next, options);
  return exitCodes.done;
}

const unitSeconds = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

function overlapMilliseconds(given: string): number {
  const [, count, unit] = /^(\d{1,7})([smhd])$/.exec(given) ?? [];
  const seconds = Number(count) * unitSeconds[(unit ?? 's') as keyof typeof unitSeconds];
  if (seconds <= overlapSecondsMax) return seconds * 1_000;
  const days = overlapSecondsMax / unitSeconds.d;
  throw new CommandError(
    'wrongUsage',
    `--overlap takes a time up to ${days} days, such as 90s, 30m, 24h or 7d.`,
  );
}
