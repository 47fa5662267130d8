import { randomBytes } from 'node:crypto';
import { type PrivateKeyEntry, parseKeySecret, writeKeySecret } from '../../lambdas/contract/key-secret.ts';
import type { SecretVersion, VersionedSecret } from '../aws/versioned-secret.ts';
import { CommandError } from '../command-error.ts';
import { keyId, withBeside } from '../keys/key-rotation.ts';
import { temporaryKeyMilliseconds, temporaryKeyRoundsMax } from '../limits.ts';
import { type Deployment, stackOption } from './deployment.ts';

export type Entries = readonly PrivateKeyEntry[];

export const entriesOf = (version: SecretVersion | undefined): Entries =>
  version?.text ? parseKeySecret(version.text) : [];

/** A random sandbox key, from before it is put in until it is certainly out. */
export class TemporaryKey {
  /** For signing alone. */
  readonly text = `pri_sandbox_smoke_${randomBytes(24).toString('hex')}`;
  readonly id = keyId(this.text);
  readonly #deployment: Deployment;
  readonly #secret: VersionedSecret;
  #putting: Promise<unknown> = Promise.resolve();
  #takingOut: Promise<void> | undefined;
  /** ISO 8601: when it ends, should it not be taken out. */
  #ends = '';
  /** Expired keys that had to make room for it. */
  #dropped: Entries = [];

  constructor(deployment: Deployment, secret: VersionedSecret) {
    this.#deployment = deployment;
    this.#secret = secret;
  }

  /**
   * Puts it beside the keys of `version`, none of which changes. Resolves with its end. When it rejects, the
   * key may be in all the same: the answer may have been lost on its way.
   */
  async put(version: SecretVersion | undefined): Promise<string> {
    const now = this.#deployment.session.now();
    const acceptedUntil = now + temporaryKeyMilliseconds;
    this.#ends = new Date(acceptedUntil).toISOString();
    const former = entriesOf(version);
    const next = withBeside(former, { key: this.text, acceptedUntil }, now);
    this.#dropped = former.filter((entry) => !next.some(({ key }) => key === entry.key));
    const putting = this.#secret.replace(version, writeKeySecret(next));
    this.#putting = putting.catch(() => undefined);
    await putting;
    return this.#ends;
  }

  /**
   * Takes it out again, and nothing else, whoever has changed the other keys meanwhile. Resolves when it is
   * not in, whether it ever was or not. A second call while the first is under way is the same.
   */
  takeOut(): Promise<void> {
    this.#takingOut ??= this.#takeOut().finally(() => {
      this.#takingOut = undefined;
    });
    return this.#takingOut;
  }

  /** Again when somebody else was quicker: the value that is replaced is always one that was just read. */
  async #takeOut(): Promise<void> {
    await this.#putting;
    let cause: unknown;
    for (let round = 0; round < temporaryKeyRoundsMax; round += 1) {
      try {
        const version = await this.#secret.read();
        const entries = entriesOf(version);
        const others = entries.filter(({ key }) => key !== this.text);
        if (others.length === entries.length) return;
        await this.#secret.replace(version, writeKeySecret(this.#withDropped(others)));
        return;
      } catch (error) {
        cause = error;
      }
    }
    const expire = `npx payhooks keys expire ${this.id} ${stackOption(this.#deployment)}`;
    const fault = `The temporary key ${this.id} could not be taken out`;
    const message = `${fault}; it ends at ${this.#ends}. ${expire}`;
    throw new CommandError('failed', message, { cause });
  }

  /** There is room for them again: none but this key took it. */
  #withDropped(others: Entries): Entries {
    const gone = this.#dropped.filter((entry) => !others.some(({ key }) => key === entry.key));
    return [...others, ...gone];
  }
}
