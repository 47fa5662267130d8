import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { signatureOf } from '../../private-key.ts';
import type { Misbehaviour } from './misbehaviour.ts';
import type { AttemptRequest, SendOnce } from './sender.ts';

const foreignKey = 'pri_of_another_account';
const slowPieceBytes = 16;

/** `fetch` for the attempts of one delivery: each call is one attempt, with the faults of its number. */
export function createFaultyFetch(
  misbehaviours: readonly Misbehaviour[],
  { signatureHeader, fetch }: { readonly signatureHeader: string; readonly fetch: SendOnce },
): SendOnce {
  let attempt = 0;
  return async function faultyFetch(url, given) {
    attempt += 1;
    const hit = misbehaviours.filter(
      ({ attempts = Number.POSITIVE_INFINITY }: { readonly kind: string; readonly attempts?: number }) =>
        attempt <= attempts,
    );
    const of = <Kind extends Misbehaviour['kind']>(kind: Kind) =>
      hit.find((one): one is Extract<Misbehaviour, { kind: Kind }> => one.kind === kind);
    const wrongSignature = of('wrong_key') && { [signatureHeader]: signatureOf(given.body, foreignKey) };
    const body = of('reserialised_body') ? reserialised(given.body) : given.body;
    const request = { ...given, headers: { ...given.headers, ...wrongSignature }, body };
    const drop = of('dropped_connection');
    if (drop !== undefined) return dropConnection(url, request, drop.during);
    const response = await fetch(url, request);
    const slow = of('slow_reading');
    return slow === undefined ? response : readSlowly(response, slow.milliseconds, given.signal);
  };
}

/** Indented: plain JSON.stringify would give the same bytes again. */
const reserialised = (body: Buffer) =>
  Buffer.from(JSON.stringify(JSON.parse(body.toString('utf8')), null, 1));

/** A body in small pieces, so that the receiver's connection stays busy with a long response. */
function readSlowly(response: Response, milliseconds: number, signal: AbortSignal): Response {
  const { body, status, headers } = response;
  if (body === null) return response;
  async function* pieces(content: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      for (let offset = 0; offset < chunk.byteLength; offset += slowPieceBytes) {
        await pause(milliseconds, undefined, { signal });
        yield chunk.subarray(offset, offset + slowPieceBytes);
      }
    }
  }
  return new Response(Readable.toWeb(Readable.from(pieces(body))) as ReadableStream, { status, headers });
}

/** Always rejects: without a connection there is no response. */
async function dropConnection(
  url: string,
  { method, headers, body, signal }: AttemptRequest,
  during: 'request' | 'response',
): Promise<never> {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest;
  const sent = request(url, {
    method,
    // A separate connection: no other request may break with it.
    agent: false,
    headers: { ...headers, 'content-length': body.byteLength },
    signal,
  });
  const dropped = new Error('the simulator dropped the connection');
  // It rejects for an error of the request.
  const responded = once(sent, 'response');
  if (during === 'request') {
    sent.write(body.subarray(0, Math.ceil(body.byteLength / 2)), () => sent.destroy(dropped));
  } else sent.end(body);
  await responded;
  sent.destroy();
  throw dropped;
}
