import type { Answer } from './attempt.ts';
import type { Authentication } from './authentication.ts';
import { addressOf, type Query } from './base-url.ts';
import { UnauthenticatedError } from './errors.ts';
import type { OperationName } from './operations.ts';
import { redactionOf, secretsOf } from './redaction.ts';
import type { Transport } from './transport.ts';

export interface CallOptions {
  /** Ends the call with the signal's own reason. */
  readonly signal?: AbortSignal | undefined;
}

/** One operation with what it is asked; the credential comes later. */
export interface Call {
  readonly operation: OperationName;
  readonly path: readonly string[];
  readonly query?: Query;
  readonly json?: unknown;
  readonly doneStatuses?: readonly number[];
  readonly signal: AbortSignal | undefined;
}

/** Sends with a credential; a 401 gets one other credential, where there is one, and no third. */
export function createCall(transport: Transport, { authorization, renew }: Authentication) {
  const send = ({ operation, path, query, json, doneStatuses = [], signal }: Call, header: string) => {
    const url = addressOf(transport.baseUrl, path, query);
    const headers = { authorization: header };
    const redact = redactionOf(secretsOf(header));
    if (json === undefined) return transport.send({ operation, url, headers, redact, doneStatuses }, signal);
    const typed = { ...headers, 'content-type': 'application/json' };
    return transport.send({ operation, url, headers: typed, body: JSON.stringify(json), redact }, signal);
  };
  return async (call: Call): Promise<Answer> => {
    call.signal?.throwIfAborted();
    const header = await unlessAborted(authorization(), call.signal);
    try {
      return await send(call, header);
    } catch (error) {
      if (!(error instanceof UnauthenticatedError) || renew === undefined) throw error;
      return await send(call, await unlessAborted(renew(header), call.signal));
    }
  };
}

/** Stops waiting, but not what is waited for: a refresh serves every call and must come to its end. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
