import { gzipSync } from 'node:zlib';
import { bodyBytesMax } from '../../../lambdas/contract/limits.ts';
import type { Deployment } from '../deployment.ts';
import { type BodyQuestion, onlyAws, sandboxEvent } from './question.ts';

const json = 'application/json';
const megabyte = 1024 * 1024;
const size = 'a10-how-large-a-notification-can-be';

type Wish = Pick<BodyQuestion, 'id' | 'asks' | 'expected'> & Partial<BodyQuestion>;

/** Everything that is asked by delivering a body. */
export function bodyQuestions(deployment: Deployment): readonly BodyQuestion[] {
  const made = (wish: Wish, change: (body: Buffer) => Uint8Array = (body) => body): BodyQuestion => {
    const { eventId, body } = sandboxEvent(deployment, wish.id);
    return {
      kind: 'body',
      section: onlyAws,
      contentType: json,
      headers: [],
      signatureHeader: 'once',
      eventId,
      ...wish,
      body: change(Buffer.from(body)),
    };
  };
  const ask = (id: string, asks: string, expected: number, rest: Partial<BodyQuestion> = {}): Wish => ({
    id,
    asks,
    expected,
    ...rest,
  });
  return [...encodings(made, ask), ...sizes(made, ask), ...headers(made, ask)];
}

type Made = (wish: Wish, change?: (body: Buffer) => Uint8Array) => BodyQuestion;
type Ask = (id: string, asks: string, expected: number, rest?: Partial<BodyQuestion>) => Wish;

/** A byte that begins no character in UTF-8, within a text. */
const withoutUtf8 = (body: Buffer): Uint8Array => {
  const at = body.indexOf('Inventedville');
  return Buffer.concat([body.subarray(0, at), Buffer.from([0xff]), body.subarray(at + 1)]);
};

function encodings(made: Made, ask: Ask): readonly BodyQuestion[] {
  const binary = 'application/octet-stream';
  const none = { eventId: undefined };
  return [
    made(ask('not-utf8-as-json', 'invalid UTF-8, sent as application/json', 403, none), withoutUtf8),
    made(
      ask('not-utf8-as-bytes', `invalid UTF-8, sent as ${binary}`, 202, { ...none, contentType: binary }),
      withoutUtf8,
    ),
    made(ask('byte-order-mark', 'a byte order mark before the JSON', 202), (body) =>
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
    ),
    made(
      ask('gzip', 'compressed, with Content-Encoding: gzip', 403, {
        ...none,
        headers: [['Content-Encoding', 'gzip']],
      }),
      (body) => gzipSync(body),
    ),
    made(ask('no-content-type', 'without a content type', 202, { contentType: undefined })),
    made(ask('text-plain', 'sent as text/plain', 202, { contentType: 'text/plain' })),
    made(ask('odd-characters', 'U+0000 (escaped), U+FFFF and an emoji', 202), (body) =>
      Buffer.from(body.toString().replace('Inventedville', '\\u0000\uffff\u{1f9fe}')),
    ),
  ];
}

/** White space between the tokens of a JSON text changes its size and nothing else. */
const padded =
  (bytes: number) =>
  (body: Buffer): Uint8Array =>
    Buffer.concat([body.subarray(0, -1), Buffer.alloc(bytes - body.length, ' '), body.subarray(-1)]);

function sizes(made: Made, ask: Ask): readonly BodyQuestion[] {
  const large = (id: string, asks: string, bytes: number): BodyQuestion =>
    made(ask(id, asks, 413, { section: size }), padded(bytes));
  return [
    made(ask('largest', '256 KiB', 202, { section: size }), padded(bodyBytesMax)),
    large('too-large', '256 KiB and one byte', bodyBytesMax + 1),
    large('6-megabytes', '6 MB, what Lambda takes as an event', 6 * megabyte),
    large('9-megabytes', '9 MB, which API Gateway takes and Lambda does not', 9 * megabyte),
    large('above-10-megabytes', '10 MB and one byte, which API Gateway does not take', 10 * megabyte + 1),
  ];
}

function headers(made: Made, ask: Ask): readonly BodyQuestion[] {
  return [
    made(ask('signature-twice', 'the signature header twice', 403, { signatureHeader: 'twice' })),
    made(ask('header-case', 'the signature header in another case', 202, { signatureHeader: 'mixed case' })),
    made(
      ask('expect-continue', 'Expect: 100-continue', 202, {
        headers: [['Expect', '100-continue']],
        waitsForContinue: true,
      }),
    ),
    made(ask('chunked', 'Transfer-Encoding: chunked', 202, { chunkBytes: 100 })),
  ];
}
