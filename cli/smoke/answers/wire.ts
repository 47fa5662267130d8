import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClientCertificate } from '../../client-certificate.ts';
import { reasonOf } from '../../explain-error.ts';
import {
  answerCharactersMax,
  continueMilliseconds,
  questionMilliseconds,
  refusalMilliseconds,
} from '../../limits.ts';

/** A request as it goes onto the wire: nothing is encoded, joined or put in order for the asker. */
export interface WireRequest {
  readonly url: URL;
  /** Path and query, exactly. */
  readonly path: string;
  readonly method: 'GET' | 'POST';
  /** Names in this case and as often as they stand here, without host and length. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: Uint8Array;
  /** In chunks of this size, without a length. */
  readonly chunkBytes?: number;
  /** Sends the body when it is asked for it, as `Expect: 100-continue` wants. */
  readonly waitsForContinue?: true;
  readonly clientCertificate?: ClientCertificate | undefined;
}

export type WireAnswer =
  | {
      readonly answered: true;
      readonly status: number;
      readonly contentType: string | null;
      /** The beginning of it. */
      readonly body: string;
    }
  | { readonly answered: false; readonly why: string };

/** One request and its answer. Never rejects: no answer is one too. */
export async function exchange(wire: WireRequest): Promise<WireAnswer> {
  const { url, path, method, clientCertificate } = wire;
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  // The host of a URL has brackets around IPv6; a socket has none.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const options = { host, port: url.port, path, method, headers: headersOf(wire) as unknown as string[] };
  const request = send({ ...options, agent: false, ...clientCertificate });
  const timer = setTimeout(
    () => request.destroy(new Error(`none within ${questionMilliseconds / 1_000} s`)),
    questionMilliseconds,
  );
  try {
    const [answer] = await Promise.all([answerOf(request), writeBody(request, wire)]);
    return answer;
  } catch (error) {
    return { answered: false, why: reasonOf(error) ?? 'unknown' };
  } finally {
    clearTimeout(timer);
    request.destroy();
  }
}

function headersOf({ url, headers, body, chunkBytes }: WireRequest): readonly (readonly [string, string])[] {
  const length: (readonly [string, string])[] =
    body === undefined
      ? []
      : chunkBytes === undefined
        ? [['Content-Length', String(body.length)]]
        : [['Transfer-Encoding', 'chunked']];
  const own = headers.some(([name]) => name.toLowerCase() === 'host') ? [] : [['Host', url.host] as const];
  return [...own, ...headers, ...length, ['Connection', 'close']];
}

/** Piece by piece, and not beyond an answer: who refuses a large body closes the connection early. */
async function writeBody(request: ClientRequest, wire: WireRequest): Promise<void> {
  const { body = new Uint8Array(), chunkBytes = writeBytes, waitsForContinue } = wire;
  let isOver = false;
  const over = new Promise<void>((resolve) => {
    const end = (): void => {
      isOver = true;
      resolve();
    };
    request.once('response', end).once('error', end);
  });
  if (waitsForContinue || body.length > largeBodyBytes) {
    request.flushHeaders();
    // A client may as well begin without being asked (RFC 9110, 10.1.1). Who refuses a length at once may
    // reset the connection when bytes still come, and then nobody reads the refusal.
    const asked = new Promise<void>((resolve) => request.once('continue', resolve));
    const wait = waitsForContinue ? continueMilliseconds : refusalMilliseconds;
    await Promise.race([asked, over, pause(wait, undefined, { ref: false })]);
  }
  for (let start = 0; start < body.length && !isOver; start += chunkBytes) {
    const hasRoom = request.write(body.subarray(start, start + chunkBytes));
    if (!hasRoom) await Promise.race([new Promise((resolve) => request.once('drain', resolve)), over]);
  }
  if (!isOver) request.end();
}

/** As much is handed to the socket at one time. */
const writeBytes = 64 * 1024;
const largeBodyBytes = 1024 * 1024;

async function answerOf(request: ClientRequest): Promise<WireAnswer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).on('error', reject);
  });
  let body = '';
  response.setEncoding('utf8');
  try {
    for await (const chunk of response) {
      body += chunk;
      if (body.length > answerBytesRead) break;
    }
  } catch {
    // The status has been told; what is there of the body is kept.
  }
  const contentType = response.headers['content-type'] ?? null;
  return { answered: true, status: response.statusCode ?? 0, contentType, body };
}

/** Enough for an order with its events; what is kept of it in the end is less. */
const answerBytesRead = 64 * answerCharactersMax;
