import { EventNotFoundError, type OperationsClient } from '@payhooks/order-client';
import { signingKeysOf } from '../../lambdas/contract/key-secret.ts';
import { type Mode, verify } from '../../lambdas/domain/signature.ts';
import { readEventBody } from '../event-body.ts';
import { explainError } from '../explain-error.ts';
import type { Entries } from '../keys.ts';
import { printable } from '../printable.ts';

export interface UnsealedParts {
  readonly operations: Pick<OperationsClient, 'event' | 'unrecognisedBody'>;
  /** With the credentials of the operator: the operations API cannot read the keys. */
  readonly readKeys: () => Promise<Entries>;
  readonly signal?: AbortSignal | undefined;
}

interface Unsealed {
  readonly body_sha256: string;
  readonly mode?: Mode | undefined;
}

/** What an operator has to know about a message without a seal: whether a key signed it, and its event. */
export async function describeUnsealed(
  { operations, readKeys, signal }: UnsealedParts,
  { body_sha256: hash, mode = 'live' }: Unsealed,
): Promise<string> {
  try {
    const { records } = await operations.unrecognisedBody(hash, { mode, signal });
    const { signature = '', body_base64 } = records.find(({ record }) => record === 'unsealed') ?? {};
    if (body_base64 == null) return 'Its signature could not be checked: its body is gone.';
    const body = Buffer.from(body_base64, 'base64');
    const signed = { header: signature, body, now: Date.now() };
    const sentences = [signatureSentence(verify(signingKeysOf(await readKeys()), signed), mode)];
    const { eventId } = readEventBody(body);
    if (eventId === undefined) return `${sentences[0]}`;
    return [...sentences, ...(await recordedSentence(operations, { eventId, hash, mode, signal }))].join(' ');
  } catch (error) {
    return `Its signature could not be checked: ${explainError(error, {}).message}`;
  }
}

function signatureSentence(verdict: ReturnType<typeof verify>, claimed: Mode): string {
  if (!('key' in verdict))
    return 'Its signature matches no key of the stack: it is forged, or its key is gone.';
  const { id, mode } = verdict.key;
  const expired = verdict.ok ? '' : ', which has expired';
  const claim = mode === claimed ? '' : ` But it claims to be ${claimed}, and would count as that.`;
  return `Its signature matches the ${mode} key ${id}${expired}.${claim}`;
}

async function recordedSentence(
  operations: UnsealedParts['operations'],
  {
    eventId,
    hash,
    ...options
  }: { eventId: string; hash: string; mode: Mode; signal?: AbortSignal | undefined },
): Promise<readonly string[]> {
  try {
    const { records } = await operations.event(eventId, options);
    const isSame = records.some(({ body_sha256 }) => body_sha256 === hash);
    return [
      `Its event ${printable(eventId)} is recorded already, with ${isSame ? 'these bytes' : 'another body'}.`,
    ];
  } catch (error) {
    if (error instanceof EventNotFoundError) return [];
    throw error;
  }
}
