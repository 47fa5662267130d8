import { parseTokenSecret, type TokenSecret } from '../contract/token-secret.ts';
import { newestStage, type SecretVersions, stages } from '../ports/secret-versions.ts';
import { RotationError } from './rotation-event.ts';

/** Where the newest refresh token is, and the version that is current. */
export interface NewestTokens {
  readonly tokens: TokenSecret;
  readonly currentId: string;
}

/** The result of an unfinished rotation is newer, unless an operator has stored another token since. */
export async function newestTokens(versions: Pick<SecretVersions, 'read'>): Promise<NewestTokens> {
  const current = await versions.read({ stage: stages.current });
  if (current === undefined) {
    throw new RotationError(
      'The token secret has no value. Store a token: npx payhooks token set --stack NAME.',
    );
  }
  const source = { tokens: parseTokenSecret(current.text), currentId: current.versionId };
  const newest = await versions.read({ stage: newestStage });
  if (newest === undefined) return source;
  const tokens = parseTokenSecret(newest.text);
  return tokens.replaces === current.versionId ? { ...source, tokens } : source;
}
