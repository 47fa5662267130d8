import { randomBytes } from 'node:crypto';
import { constants } from 'node:os';
import type { SecretVersion } from '../../operator/aws/versioned-secret.ts';
import { passed, skipped } from '../../operator/check-result.ts';
import { isAnyAccepted, keyId, withBeside } from '../../operator/keys/key-rotation.ts';
import { type Entries, entriesOf, type KeySecret, openKeySecret } from '../../operator/keys/key-secret.ts';
import { temporaryKeyMilliseconds, temporaryKeyRoundsMax } from '../../operator/limits.ts';
import { CommandError } from '../../operator/operator-error.ts';
import type { CommonOptions } from '../session.ts';
import type { CheckRunner } from './check-runner.ts';
import { type Deployment, stackOption } from './deployment.ts';
import { type SigningKeyText, stackSandboxKey } from './key-checks.ts';

/** Does `work` with a random sandbox key in the key secret, and removes the key in any case. */
export async function withTemporaryKey(
  runner: CheckRunner,
  deployment: Deployment,
  { options, work }: { options: CommonOptions; work: (key: SigningKeyText) => Promise<void> },
): Promise<void> {
  const { session, stack } = deployment;
  const secret = await openKeySecret(stack);
  const key = new TemporaryKey(deployment, secret);
  let signing: SigningKeyText;
  let stopGuarding: (() => void) | undefined;
  const remove = async (): Promise<void> => {
    if (stopGuarding === undefined) return;
    const { status, message } = await runner.run('key removed', async () => {
      await key.remove();
      return passed(`${key.id} is no longer in the key secret`);
    });
    // An error that ends the command would end it before --json prints its document.
    if (status !== 'passed' && options.json) session.terminal.note(`error: ${message}`);
    stopGuarding();
    stopGuarding = undefined;
  };
  try {
    const { status } = await runner.run('temporary key', async () => {
      const version = await secret.read();
      const existing = stackSandboxKey(deployment, entriesOf(version));
      signing = existing?.text;
      if (existing) return skipped(`the sandbox key ${existing.id} of the key secret signs the events`);
      await confirm(deployment, { entries: entriesOf(version), id: key.id, options });
      stopGuarding = removeOnSignal(deployment, key);
      const ends = await key.add(version);
      signing = key.text;
      return passed(`${key.id} is in the key secret, until ${ends} at the latest`);
    });
    if (status !== 'passed') await remove();
    await work(signing);
  } finally {
    await remove();
  }
}

async function confirm(
  deployment: Deployment,
  { entries, id, options }: { entries: Entries; id: string; options: CommonOptions },
): Promise<void> {
  const { session, stack } = deployment;
  if (!isAnyAccepted(entries, 'live', session.now())) {
    const set = `npx payhooks keys set ${stackOption(deployment)}`;
    const message = `A temporary key needs a live key in the secret, and there is none: ${set}`;
    throw new CommandError('failed', message);
  }
  await session.input.confirm(
    `Add the random sandbox key ${id} to the key secret of ${stack.name}?\n` +
      '  It signs only sandbox events, is removed at the end of the run, and expires ' +
      `${temporaryKeyMilliseconds / 60_000} minutes after it was added. The other keys stay.`,
    options,
  );
}

/** A random sandbox key, from before it is added until it is certainly removed. */
class TemporaryKey {
  /** For signing only; never printed. */
  readonly text = `pri_sandbox_smoke_${randomBytes(24).toString('hex')}`;
  readonly id = keyId(this.text);
  readonly #deployment: Deployment;
  readonly #secret: KeySecret;
  #adding: Promise<unknown> = Promise.resolve();
  #removing: Promise<void> | undefined;
  /** ISO 8601: when it expires if it cannot be removed. */
  #ends = '';
  /** Expired keys that had to make room for it. */
  #dropped: Entries = [];

  constructor(deployment: Deployment, secret: KeySecret) {
    this.#deployment = deployment;
    this.#secret = secret;
  }

  /**
   * Adds it to the keys of `version`, none of which changes. Resolves with the time when it expires. After a
   * rejection the key may still be in the secret: the response may have been lost.
   */
  async add(version: SecretVersion | undefined): Promise<string> {
    const now = this.#deployment.session.now();
    const acceptedUntil = now + temporaryKeyMilliseconds;
    this.#ends = new Date(acceptedUntil).toISOString();
    const former = entriesOf(version);
    const next = withBeside(former, { key: this.text, acceptedUntil }, now);
    this.#dropped = former.filter((entry) => !next.some(({ key }) => key === entry.key));
    const adding = this.#secret.replace(version, next);
    this.#adding = adding.catch(() => undefined);
    await adding;
    return this.#ends;
  }

  /**
   * Removes this key and no other, even if others change at the same time. Resolves once it is not in the
   * secret, whether it ever was or not. A call while another one is under way joins it.
   */
  remove(): Promise<void> {
    this.#removing ??= this.#remove().finally(() => {
      this.#removing = undefined;
    });
    return this.#removing;
  }

  /** Tries again after a concurrent change: the value that is replaced is always one that was just read. */
  async #remove(): Promise<void> {
    await this.#adding;
    let cause: unknown;
    for (let round = 0; round < temporaryKeyRoundsMax; round += 1) {
      try {
        const version = await this.#secret.read();
        const entries = entriesOf(version);
        const others = entries.filter(({ key }) => key !== this.text);
        if (others.length === entries.length) return;
        const restored = this.#dropped.filter((entry) => !others.some(({ key }) => key === entry.key));
        await this.#secret.replace(version, [...others, ...restored]);
        return;
      } catch (error) {
        cause = error;
      }
    }
    const expire = `npx payhooks keys expire ${this.id} --force ${stackOption(this.#deployment)}`;
    const problem = `The temporary key ${this.id} could not be removed; it expires at ${this.#ends}.`;
    throw new CommandError('failed', `${problem} ${expire}`, { cause });
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * A signal ends a process without running any `finally`. So the first one removes the key and then exits; a
 * second one does not interrupt that. Returns a function that restores the default.
 */
function removeOnSignal({ session: { terminal } }: Deployment, key: TemporaryKey): () => void {
  let isEnding = false;
  const end = (signal: NodeJS.Signals): void => {
    terminal.note(`${isEnding ? 'Still removing' : 'Removing'} the temporary key ${key.id} …`);
    if (isEnding) return;
    isEnding = true;
    key
      .remove()
      .then(() => terminal.note('Removed.'))
      .catch((error: Error) => terminal.note(`error: ${error.message}`))
      // The exit code that a shell gives to a process that a signal ended.
      .finally(() => process.exit(128 + constants.signals[signal]));
  };
  for (const signal of signals) process.on(signal, end);
  return () => {
    for (const signal of signals) process.off(signal, end);
  };
}
