import { randomBytes } from 'node:crypto';
import { type PrivateKeyEntry, parseKeySecret, writeKeySecret } from '../../lambdas/key-secret.ts';
import type { VersionedSecret } from '../aws/versioned-secret.ts';
import { keyId, withEnd, withNew } from '../keys/key-rotation.ts';
import { temporaryKeyMilliseconds, temporaryKeyRoundsMax } from '../limits.ts';
import { CommandError } from '../outcome.ts';
import { type Deployment, stackOption } from './deployment.ts';
import { requireLiveKey } from './key-checks.ts';

type Entries = readonly PrivateKeyEntry[];

export interface TemporaryKey {
  /** For signing alone. */
  readonly text: string;
  readonly id: string;
  /** ISO 8601: when it ends, should it not be taken out. */
  readonly ends: string;
  /** Takes it out again, and nothing else, whoever has changed the other keys meanwhile. */
  takeOut(): Promise<void>;
}

/** Puts a random sandbox key beside the others. Asks first; every other key stays. */
export async function putTemporaryKey(
  deployment: Deployment,
  secret: VersionedSecret,
  options: { readonly yes?: true },
): Promise<TemporaryKey> {
  const { session } = deployment;
  const version = await secret.read();
  const former = entriesOf(version?.text);
  requireLiveKey(deployment, former);
  const text = `pri_sandbox_smoke_${randomBytes(24).toString('hex')}`;
  const id = keyId(text);
  const now = session.now();
  const end = now + temporaryKeyMilliseconds;
  const ends = new Date(end).toISOString();
  const next = withEnd(withNew(former, text, { now, overlapEnds: end }), id, end);
  await session.ask.confirm(
    `Put the random sandbox key ${id} into the key secret of ${deployment.stack.name}?\n` +
      '  It signs sandbox events alone, is taken out at the end of the run, and ends by itself at ' +
      `${ends}. The other keys stay.`,
    options,
  );
  await secret.replace(version, writeKeySecret(next));
  const dropped = former.filter((entry) => !next.some(({ key }) => key === entry.key));
  return { text, id, ends, takeOut: () => takeOut(deployment, secret, { text, id, ends, dropped }) };
}

const entriesOf = (text: string | undefined): Entries => (text ? parseKeySecret(text) : []);

interface Put {
  readonly text: string;
  readonly id: string;
  readonly ends: string;
  /** Expired keys that had to make room for it. */
  readonly dropped: Entries;
}

/** Again when somebody else was quicker: the value that is replaced is always one that was just read. */
async function takeOut(deployment: Deployment, secret: VersionedSecret, put: Put): Promise<void> {
  let cause: unknown;
  for (let round = 0; round < temporaryKeyRoundsMax; round += 1) {
    try {
      const version = await secret.read();
      const entries = entriesOf(version?.text);
      const others = entries.filter(({ key }) => key !== put.text);
      if (others.length === entries.length) return;
      await secret.replace(version, writeKeySecret([...others, ...put.dropped]));
      return;
    } catch (error) {
      cause = error;
    }
  }
  const expire = `npx payhooks keys expire ${put.id} ${stackOption(deployment)}`;
  const message = `The temporary key ${put.id} could not be taken out; it ends at ${put.ends}. ${expire}`;
  throw new CommandError('failed', message, { cause });
}
