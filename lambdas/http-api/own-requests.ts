import { timingSafeEqual } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ownApiOf, proofVariable } from '../contract/own-api.ts';
import type { SecretReader } from '../ports/secret-reader.ts';

export interface OwnApiParts {
  /** The text of `ownApiOf`. */
  readonly ownApi: string;
  readonly readProof: SecretReader;
}

/** Why a request did not come through the own API; `undefined` when it did. */
export type ForgeryOf = (
  event: APIGatewayProxyEventV2,
) => Promise<'no_identity' | 'other_api' | 'wrong_proof' | undefined>;

/**
 * A caller of the function can make up an event with the identity of someone else, but not the secret
 * that the stage of the API adds (ADR 22).
 */
export function createForgeryCheck({ ownApi, readProof }: OwnApiParts): ForgeryOf {
  let proof: string | undefined;
  return async function forgeryOf(event) {
    if (callerOf(event) === undefined) return 'no_identity';
    if (ownApiOf(event.requestContext) !== ownApi) return 'other_api';
    const given = event.stageVariables?.[proofVariable];
    proof ??= await readProof();
    if (isSameText(given, proof)) return undefined;
    // It may have been replaced.
    proof = await readProof();
    return isSameText(given, proof) ? undefined : 'wrong_proof';
  };
}

/** API Gateway adds the identity to requests for routes with IAM authorisation. */
export function callerOf({ requestContext }: APIGatewayProxyEventV2): string | undefined {
  const { authorizer } = (requestContext ?? {}) as { authorizer?: { iam?: { userArn?: string } | null } };
  return authorizer?.iam?.userArn;
}

/** Takes the same time wherever they differ. */
function isSameText(given: unknown, expected: string): boolean {
  const [one, other] = [Buffer.from(`${given}`), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
