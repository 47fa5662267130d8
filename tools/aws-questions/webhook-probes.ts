import { randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { bodyBytesMax } from '../../lambdas/contract/limits.ts';
import type { Place, Probe } from './probe.ts';

type Case = readonly [name: string, expected: number, body: Uint8Array, headers?: OutgoingHttpHeaders];

const event = (note = ''): Buffer =>
  Buffer.from(JSON.stringify({ ...paidEvent({ orderId: randomUUID() }), note }));
const notUtf8 = (): Buffer => Buffer.concat([event().subarray(0, -2), Buffer.from([0xff, 0x22, 0x7d])]);
const padded = (bytes: number): Buffer => Buffer.concat([event(), Buffer.alloc(bytes, ' ')], bytes);

/** Each posts its webhooks, and compares their statuses. */
const casesOf: Readonly<Record<string, (place: Place) => readonly Case[]>> = {
  'utf-8': () => [
    ['byte order mark', 202, Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), event()])],
    ['U+0000', 202, event('\0')],
    ['emoji', 202, event('\u{1f600}')],
    ['text/plain', 202, event(), { 'content-type': 'text/plain' }],
    ['Expect: 100-continue', 202, event(), { expect: '100-continue' }],
    ['chunks', 202, event(), { 'transfer-encoding': 'chunked' }],
  ],
  'not-utf-8': () => [
    ['application/json', 403, notUtf8()],
    ['gzip', 403, gzipSync(event()), { 'content-encoding': 'gzip' }],
    ['application/octet-stream', 202, notUtf8(), { 'content-type': 'application/octet-stream' }],
  ],
  sizes: () => [
    ['256 KiB', 202, padded(bodyBytesMax)],
    ['a byte more', 413, padded(bodyBytesMax + 1)],
    ...[6, 9, 11].map((size): Case => [`${size} MB`, 413, padded(size * 1_000_000)]),
  ],
  signatures({ header, signature }) {
    const body = event();
    return [
      ['twice', 403, body, { [header]: [signature(body), signature(body)] }],
      ['upper case', 202, body, { [header.toUpperCase()]: signature(body) }],
    ];
  },
};

const comparison = (cases: (place: Place) => readonly Case[]): Probe => ({
  async ask(place) {
    const found: string[] = [];
    let isExpected = true;
    for (const [name, expected, body, headers] of cases(place)) {
      const got = await place.status(body, headers).catch((error: Error) => error.message);
      found.push(`${name} ${got}`);
      isExpected &&= got === expected;
    }
    return { isExpected, evidence: found.join(', ') };
  },
});

export const webhookProbes: Readonly<Record<string, Probe>> = {
  ...Object.fromEntries(Object.entries(casesOf).map(([id, cases]) => [id, comparison(cases)])),
  'order-ids': {
    async ask({ status, records, lookUp }) {
      const ids = ['a/b', 'a%2Fb', 'a?b', 'a%b', 'a+b', '\u{1f600}', 'a/../b'];
      for (const orderId of ids) await status(bytesOf(paidEvent({ orderId })));
      // What was sent before is then recorded as well.
      await records();
      const found = await Promise.all(ids.map(async (id) => ({ id, got: await lookUp(id) })));
      const isExpected = found.every(({ id, got }) => got === 200 || /[/?]/.test(id));
      return { isExpected, evidence: found.map(({ id, got }) => `${id} ${got}`).join(', ') };
    },
  },
};
