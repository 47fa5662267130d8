import {
  type Authentication,
  accessTokenAuthentication,
  ForbiddenError,
  type PaymentServiceClient,
  PaymentServiceError,
  UnauthenticatedError,
} from '@payhooks/payment-service';
import { metricNames } from '../contract/metrics.ts';
import { MalformedTokenSecretError, parseTokenSecret, type TokenSecret } from '../contract/token-secret.ts';
import { holderOf, stages } from '../ports/secret-versions.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import { ExchangeRefusedError } from './exchange.ts';
import { createRenewal, type RenewalParts } from './renew.ts';
import {
  parseRotationEvent,
  RotationError,
  type RotationRequest,
  type RotationStep,
} from './rotation-event.ts';

export interface TokenRefreshParts extends RenewalParts {
  readonly secretArn: string;
  /** Calls the account operation (API document 4.7). */
  readonly checkAccount: (
    authentication: Authentication,
  ) => ReturnType<PaymentServiceClient['currentAccount']>;
  readonly telemetry: Telemetry;
}

/** A version that a rotation creates, and the current one. */
interface PendingVersion {
  readonly id: string;
  readonly currentId: string | undefined;
}

/** Runs one step for a version that is not current yet; returns the outcome for the log. */
type StepRunner = (version: PendingVersion) => Promise<string>;

/**
 * The rotation function of the OAuth token: `createSecret` exchanges the refresh token (API document 4.6),
 * `testSecret` tests the access token (4.7), `finishSecret` makes both current. Every step can be repeated at
 * any time. A failure is counted, logged without values and thrown, so that Secrets Manager retries.
 */
export function createTokenRefresh(parts: TokenRefreshParts): (event: unknown) => Promise<void> {
  const { telemetry } = parts;
  const steps = createSteps(parts);
  return async function rotateToken(event) {
    let request: RotationRequest | undefined;
    try {
      request = parseRotationEvent(event);
      const outcome = await run(parts, steps, request);
      telemetry.log('notice', 'rotation step done', { ...fieldsOf(request), outcome });
    } catch (error) {
      telemetry.count(metricNames.tokenRefreshFailed);
      telemetry.log('error', 'rotation step failed', { ...fieldsOf(request), ...errorFields(error) });
      throw error;
    } finally {
      telemetry.flush();
    }
  };
}

async function run(
  { versions, secretArn }: TokenRefreshParts,
  steps: Readonly<Record<RotationStep, StepRunner>>,
  request: RotationRequest,
): Promise<string> {
  if (request.secretArn !== secretArn) {
    throw new RotationError('The event names another secret than the one that this function rotates.');
  }
  const description = await versions.describe();
  if (!description.rotationEnabled) {
    throw new RotationError('Rotation is not enabled for the token secret; deploy the stack again.');
  }
  const { versionId: id } = request;
  const labels = description.stages.get(id);
  if (labels === undefined) throw new RotationError(`The token secret has no version ${id}.`);
  if (labels.includes(stages.current)) return 'already current';
  if (!labels.includes(stages.pending)) {
    throw new RotationError(`The version ${id} is not the pending version of this rotation (AWSPENDING).`);
  }
  return steps[request.step]({ id, currentId: holderOf(description, stages.current) });
}

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

const fieldsOf = (request: RotationRequest | undefined) =>
  request === undefined ? {} : { step: request.step, version_id: request.versionId };

/** Only these messages are known not to quote a token; an SDK's error may hold what it was given. */
const safeErrors = [RotationError, ExchangeRefusedError, MalformedTokenSecretError, PaymentServiceError];

function errorFields(error: unknown): { readonly error_name: string; readonly reason?: string } {
  if (!(error instanceof Error)) return { error_name: 'unknown' };
  const { cause } = error;
  const error_name = cause instanceof Error ? `${error.name} (${cause.name})` : error.name;
  return safeErrors.some((one) => error instanceof one)
    ? { error_name, reason: error.message }
    : { error_name };
}
