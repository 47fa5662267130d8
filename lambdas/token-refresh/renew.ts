import { type Tokens, tokensOf } from '@payhooks/payment-service';
import { tokenKeepPauseMilliseconds, tokenKeepRoundsMax, tokenRenewalRoundsMax } from '../contract/limits.ts';
import { parseTokenSecret, type TokenSecret, writeTokenSecret } from '../contract/token-secret.ts';
import { newestStage, type SecretVersion, type SecretVersions, stages } from '../ports/secret-versions.ts';
import { type Exchanges, exchangeTokens, TokenRefusedError } from './exchange.ts';
import { RotationError } from './rotation-event.ts';

export interface RenewalParts {
  readonly versions: SecretVersions;
  readonly exchanges: Exchanges;
  readonly pause: (milliseconds: number) => Promise<unknown>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Writes the tokens of a version, unless it has them already. */
export type Renewal = (versionId: string) => Promise<void>;

interface Source {
  readonly tokens: TokenSecret;
  readonly currentId: string;
}

/**
 * Spends the newest refresh token and stores its successor in the version of this rotation. A token that an
 * earlier invocation of this instance could not store is stored before a new exchange: it is the only copy.
 */
export function createRenewal(parts: RenewalParts): Renewal {
  const { versions, exchanges, pause, now } = parts;
  let unstored: { readonly spent: string; readonly tokens: Tokens } | undefined;

  const successorOf = async ({ refreshToken, ...client }: TokenSecret): Promise<Tokens> => {
    if (unstored?.spent === refreshToken) return unstored.tokens;
    const sentAt = now();
    const tokens = tokensOf(await exchangeTokens(exchanges(client), refreshToken), sentAt);
    unstored = { spent: refreshToken, tokens };
    return tokens;
  };

  const renewFrom = async (source: Source, versionId: string): Promise<void> => {
    const { access_token, refresh_token, expires_at } = await successorOf(source.tokens);
    const text = writeTokenSecret({
      clientId: source.tokens.clientId,
      clientSecret: source.tokens.clientSecret,
      refreshToken: refresh_token,
      accessToken: access_token,
      expiresAt: expires_at,
      replaces: source.currentId,
    });
    // The same rotation, started twice, may already have filled the version; either value is good.
    await store({ versions, pause }, { versionId, text });
    unstored = undefined;
  };

  return async function renew(versionId) {
    for (let round = 1; ; round += 1) {
      const source = await newestTokens(versions);
      try {
        return await renewFrom(source, versionId);
      } catch (error) {
        if (!(error instanceof TokenRefusedError) || round >= tokenRenewalRoundsMax) throw error;
        // Another rotation may have spent the token in the meantime and be about to store its successor.
        await pause(tokenKeepPauseMilliseconds);
        if ((await versions.read({ versionId })) !== undefined) return;
        const latest = await newestTokens(versions);
        if (latest.tokens.refreshToken === source.tokens.refreshToken) throw error;
      }
    }
  };
}

/** The result of an unfinished rotation is newer, unless an operator has stored another token since. */
async function newestTokens(versions: SecretVersions): Promise<Source> {
  const current = await versions.read({ stage: stages.current });
  if (current === undefined) {
    throw new RotationError(
      'The token secret has no value. Store a token: npx payhooks token set --stack NAME.',
    );
  }
  const source = { tokens: parseTokenSecret(current.text), currentId: current.versionId };
  const newest = await versions.read({ stage: newestStage });
  if (newest === undefined || newest.versionId === current.versionId) return source;
  const tokens = parseTokenSecret(newest.text);
  return tokens.replaces === current.versionId ? { ...source, tokens } : source;
}

/** Retries, because the old refresh token is spent. */
async function store(
  { versions, pause }: Pick<RenewalParts, 'versions' | 'pause'>,
  version: SecretVersion,
): Promise<void> {
  for (let round = 1; ; round += 1) {
    try {
      await versions.putPending(version);
      return;
    } catch (cause) {
      if (round >= tokenKeepRoundsMax) {
        const message =
          'The new tokens could not be stored. This instance of the function holds the only copy and tries ' +
          'again at its next invocation. If it ends before that, the refresh token is lost.';
        throw new RotationError(message, { cause });
      }
      await pause(tokenKeepPauseMilliseconds * 2 ** (round - 1));
    }
  }
}
