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

/** Gives a version its tokens, unless it has them already. */
export type Renewal = (versionId: string) => Promise<void>;

interface Source {
  readonly tokens: TokenSecret;
  readonly currentId: string;
}

/**
 * Spends the newest refresh token and keeps its successor in the version of this rotation. What an earlier
 * invocation of this instance could not keep comes before a new exchange: it is the only copy.
 */
export function createRenewal(parts: RenewalParts): Renewal {
  const { versions, exchanges, pause, now } = parts;
  let unkept: { readonly spent: string; readonly tokens: Tokens } | undefined;

  const successorOf = async ({ refreshToken, ...client }: TokenSecret): Promise<Tokens> => {
    if (unkept?.spent === refreshToken) return unkept.tokens;
    const sentAt = now();
    const tokens = tokensOf(await exchangeTokens(exchanges(client), refreshToken), sentAt);
    unkept = { spent: refreshToken, tokens };
    return tokens;
  };

  const renewFrom = async (source: Source, versionId: string): Promise<void> => {
    const { access_token, refresh_token, expires_at } = await successorOf(source.tokens);
    const text = writeTokenSecret({
      clientId: source.tokens.clientId,
      clientSecret: source.tokens.clientSecret,
      refreshToken: refresh_token,
      accessToken: access_token,
      ...(expires_at !== null && { expiresAt: expires_at }),
      replaces: source.currentId,
    });
    // The same rotation, started twice, may have filled the version meanwhile; one value is as good.
    await keep({ versions, pause }, { versionId, text });
    unkept = undefined;
  };

  return async (versionId) => {
    for (let round = 1; ; round += 1) {
      const source = await newestTokens(versions);
      try {
        return await renewFrom(source, versionId);
      } catch (error) {
        if (!(error instanceof TokenRefusedError) || round >= tokenRenewalRoundsMax) throw error;
        // Another rotation may have spent the token while we asked, and be about to keep its successor.
        await pause(tokenKeepPauseMilliseconds);
        if ((await versions.read({ versionId })) !== undefined) return;
        const latest = await newestTokens(versions);
        if (latest.tokens.refreshToken === source.tokens.refreshToken) throw error;
      }
    }
  };
}

/**
 * What a rotation that did not come to its end left behind is newer, unless somebody put in another token.
 */
async function newestTokens(versions: SecretVersions): Promise<Source> {
  const current = await versions.read({ stage: stages.current });
  if (current === undefined) {
    throw new RotationError(
      'The token secret has no value; put a token in: npx payhooks token set --stack NAME.',
    );
  }
  const source = { tokens: parseTokenSecret(current.text), currentId: current.versionId };
  const newest = await versions.read({ stage: newestStage });
  if (newest === undefined || newest.versionId === current.versionId) return source;
  const tokens = parseTokenSecret(newest.text);
  return tokens.replaces === current.versionId ? { ...source, tokens } : source;
}

/** Tries for as long as the function may run: the old refresh token is spent. */
async function keep(
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
          'The new tokens could not be kept. This instance of the function holds the only copy and tries ' +
          'again with the next attempt; should it end before, the refresh token is lost.';
        throw new RotationError(message, { cause });
      }
      await pause(tokenKeepPauseMilliseconds * 2 ** (round - 1));
    }
  }
}
