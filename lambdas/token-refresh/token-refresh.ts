import {
  type Authentication,
  accessTokenAuthentication,
  ForbiddenError,
  type PaymentServiceClient,
  PaymentServiceError,
  UnauthenticatedError,
} from '@payhooks/payment-service';
import { MalformedTokenSecretError, parseTokenSecret, type TokenSecret } from '../contract/token-secret.ts';
import {
  createRotation,
  type PendingVersion,
  type RotationParts,
  type StepRunner,
} from '../rotation/rotation.ts';
import { RotationError, type RotationStep } from '../rotation/rotation-event.ts';
import { ExchangeRefusedError } from './exchange.ts';
import { createRenewal, type RenewalParts } from './renew.ts';

export interface TokenRefreshParts extends RenewalParts, RotationParts {
  /** Calls the account operation (API document 4.7). */
  readonly checkAccount: (
    authentication: Authentication,
  ) => ReturnType<PaymentServiceClient['currentAccount']>;
}

/**
 * The rotation function of the OAuth token: `createSecret` exchanges the refresh token (API document 4.6),
 * `testSecret` tests the access token (4.7), `finishSecret` makes both current.
 */
export const createTokenRefresh = (parts: TokenRefreshParts) =>
  createRotation(parts, {
    steps: createSteps(parts),
    safeErrors: [ExchangeRefusedError, MalformedTokenSecretError, PaymentServiceError],
  });

function createSteps(parts: TokenRefreshParts): Readonly<Record<RotationStep, StepRunner>> {
  const { versions } = parts;
  const renew = createRenewal(parts);

  async function read(versionId: string): Promise<TokenSecret | undefined> {
    const version = await versions.read({ versionId });
    return version === undefined ? undefined : parseTokenSecret(version.text);
  }
  async function readComplete(versionId: string): Promise<TokenSecret> {
    const tokens = await read(versionId);
    if (tokens?.accessToken !== undefined) return tokens;
    if (tokens === undefined) {
      throw new RotationError(`The version ${versionId} has no value, so createSecret did not fill it.`);
    }
    // No version can be filled twice. The next rotation starts from its refresh token.
    await versions.release(versionId);
    throw new RotationError(
      `The version ${versionId} has the new refresh token, but the service returned no usable access ` +
        'token. Rotate again.',
    );
  }
  /** Tokens that an operator stored in the meantime are newer than those of this rotation. */
  async function cancelIfReplaced(
    { replaces }: TokenSecret,
    { id, currentId }: PendingVersion,
  ): Promise<void> {
    if (replaces === currentId) return;
    await versions.release(id);
    throw new RotationError(
      `Another token was stored after the rotation to ${id} began, so it is cancelled. Rotate again.`,
    );
  }

  return {
    createSecret: async (version) => {
      const tokens = await read(version.id);
      if (tokens === undefined) {
        const contradiction = await renew(version.id);
        return contradiction === undefined ? 'renewed' : `renewed, although: ${contradiction}`;
      }
      await cancelIfReplaced(tokens, version);
      return 'already has its value';
    },
    setSecret: async ({ id }) => {
      await readComplete(id);
      // The payment service made the tokens, so it has them.
      return 'is complete';
    },
    testSecret: async ({ id }) => {
      const outcome = await testToken(parts, await read(id));
      if (outcome !== 'refused') return outcome;
      // Otherwise every retry tests the same token. The next rotation starts from its refresh token.
      await versions.release(id);
      throw new RotationError(
        `The payment service refuses the access token of the version ${id}, which it has issued (401). ` +
          'Its refresh token is kept as NEWEST_TOKEN. Rotate again.',
      );
    },
    finishSecret: async (version) => {
      await cancelIfReplaced(await readComplete(version.id), version);
      await versions.makeCurrent({ to: version.id, from: version.currentId });
      return 'is current';
    },
  };
}

/**
 * What is known of an access token: `refused` for one that should be valid and gets a 401.
 *
 * Secrets Manager also tests a new rotation schedule with this step. The secret may then hold no token, only
 * a refresh token, or an old access token; none of these makes the test fail.
 */
async function testToken(parts: TokenRefreshParts, tokens: TokenSecret | undefined): Promise<string> {
  if (tokens?.accessToken === undefined) return 'holds no access token to test';
  const { accessToken, expiresAt = Number.POSITIVE_INFINITY } = tokens;
  try {
    await parts.checkAccount(accessTokenAuthentication(accessToken));
    return 'works';
  } catch (error) {
    // Section 7: 403 means authenticated; scopes and the state of the account are not judged here.
    if (error instanceof ForbiddenError) return 'is authentic, but the account or a scope forbids the call';
    // A rotation may resume after hours. Its refresh token is the only unspent one, so it becomes current
    // even with an expired access token; the next reader starts another rotation.
    if (error instanceof UnauthenticatedError) return parts.now() >= expiresAt ? 'has expired' : 'refused';
    throw error;
  }
}
