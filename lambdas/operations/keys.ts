import type { Mode } from '../domain/signature.ts';
import { refuseUnknown } from '../http-api/parameters.ts';
import type { RouteRequest, RouteResult } from '../http-api/route.ts';
import type { OperationsParts } from './parts.ts';

/** The response of `GET /operations/keys`: every private key that a signature has matched, in both modes. */
export interface KeyUses {
  readonly keys: readonly KeyUseView[];
}

export interface KeyUseView {
  readonly mode: Mode;
  /** A short hash of the private key. */
  readonly key_id: string;
  /** May be some minutes late. */
  readonly last_matched_at: string;
}

export async function getKeys({ keyUses }: OperationsParts, { query }: RouteRequest): Promise<RouteResult> {
  refuseUnknown(query, []);
  const uses = await Promise.all([keyUses.keyUses('live'), keyUses.keyUses('sandbox')]);
  const keys = uses.flat().map(({ mode, keyId, matchedAt }) => ({
    ...{ mode, key_id: keyId, last_matched_at: matchedAt },
  }));
  const body: KeyUses = { keys };
  return { ok: true, body };
}
