import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { signatureOf } from '../../private-key.ts';
import type { AttemptFault } from './misbehaviour.ts';

interface Outgoing {
  readonly url: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly signal: AbortSignal;
}

const foreignKey = 'pri_of_another_account';
const slowPieceBytes = 16;

/** `fetch` for the attempts of one delivery: each call is one attempt, with the faults of its number. */
export function createFaultyFetch(
  faults: readonly AttemptFault[],
  { signatureHeader, fetch }: { readonly signatureHeader: string; readonly fetch: typeof globalThis.fetch },
): typeof globalThis.fetch {
  let attempt = 0;
  return async function faultyFetch(input, init) {
    attempt += 1;
    const hit = faults.filter(({ attempts = Number.POSITIVE_INFINITY }) => attempt <= attempts);
    const of = <Kind extends AttemptFault['kind']>(kind: Kind) =>
      hit.find((fault): fault is Extract<AttemptFault, { kind: Kind }> => fault.kind === kind);
    const given = Buffer.from(init?.body as Uint8Array);
    const headers = new Headers(init?.headers);
    if (of('wrong_key')) headers.set(signatureHeader, signatureOf(given, foreignKey));
    const body = of('reserialised_body') ? reserialised(given) : given;
    const signal = init?.signal ?? new AbortController().signal;
    const drop = of('dropped_connection');
    if (drop !== undefined) return dropConnection({ url: String(input), headers, body, signal }, drop.during);
    const response = await fetch(input, { method: 'POST', redirect: 'manual', headers, body, signal });
    const slow = of('slow_reading');
    return slow === undefined ? response : readSlowly(response, slow.milliseconds, signal);
  };
}

/** Indented: plain JSON.stringify would give the same bytes again. */
const reserialised = (body: Buffer) =>
  Buffer.from(JSON.stringify(JSON.parse(body.toString('utf8')), null, 1));

/** A body in small pieces, so that the receiver's connection stays busy with a long response. */
function readSlowly({ body, status, headers }: Response, milliseconds: number, signal: AbortSignal) {
  async function* pieces(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for await (const chunk of body ?? []) {
      for (let offset = 0; offset < chunk.byteLength; offset += slowPieceBytes) {
        await pause(milliseconds, undefined, { signal });
        yield chunk.subarray(offset, offset + slowPieceBytes);
      }
    }
  }
  const slow = body && (Readable.toWeb(Readable.from(pieces())) as ReadableStream);
  return new Response(slow, { status, headers });
}

/** Always rejects: without a connection there is no response. */
function dropConnection({ url, headers, body, signal }: Outgoing, during: 'request' | 'response') {
  const { promise, reject } = Promise.withResolvers<never>();
  const request = url.startsWith('https:') ? httpsRequest : httpRequest;
  const sent = request(url, {
    method: 'POST',
    // A separate connection: no other request may break with it.
    agent: false,
    headers: { ...Object.fromEntries(headers), 'content-length': body.byteLength },
    signal,
  });
  function drop(): void {
    sent.destroy();
    reject(new Error('the simulator dropped the connection'));
  }
  sent.on('error', reject).on('response', drop);
  if (during === 'request') sent.write(body.subarray(0, Math.ceil(body.byteLength / 2)), drop);
  else sent.end(body);
  return promise;
}
