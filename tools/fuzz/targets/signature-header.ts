import assert from 'node:assert/strict';

import { createSigningKey, sign } from '../../../lambdas/domain/signature.ts';
import { createVerifier } from '../../../lambdas/verifier/verifier.ts';
import { gatewayEvent } from '../../../test/doubles/gateway-event.ts';
import type { Target } from '../target.ts';
import { startTelemetry } from './telemetry.ts';

const key = createSigningKey('pri_test_key');
const body = '{"id":"evt-1"}';
const right = sign(key, Buffer.from(body));
const digits = new Set('0123456789abcdef');

/** The verifier, with a body and the value of its signature header. */
export function createSignatureHeaderTarget(): Target {
  let enqueued = 0;
  const keys = { keys: [key], isCertain: true };
  const verify = createVerifier({
    signatureHeader: 'x-service-signature',
    keys: { current: async () => keys, reread: async () => keys },
    async enqueue() {
      enqueued += 1;
    },
    now: () => Date.parse('2026-11-21T10:00:00.000Z'),
    telemetry: startTelemetry(),
  });
  return {
    name: 'signature-header',
    async run(input) {
      const header = Buffer.from(input).toString('latin1');
      enqueued = 0;
      const headers = { 'x-service-signature': header };
      const response = await verify(gatewayEvent({ routeKey: 'POST /webhooks/payments', headers, body }));
      const isRight = header === right;
      assert.equal(response.statusCode, isRight ? 202 : 403);
      assert.equal(enqueued, isRight ? 1 : 0, 'messages in the queue');
      if (!isRight) assert.equal(response.body, '{"message":"Invalid signature"}');
      if (isRight) return '202';
      if (header === '') return '403: missing';
      const hasForm = header.length === 64 && [...header].every((digit) => digits.has(digit));
      return hasForm ? '403: mismatch' : '403: malformed';
    },
    outcomes: {
      '202': 'the signature of the bytes under a key: 64 lower-case hexadecimal digits',
      '403: missing': 'no header, or an empty one',
      '403: malformed': 'anything but 64 lower-case hexadecimal digits; two headers, joined by a comma, too',
      '403: mismatch': '64 lower-case hexadecimal digits that are no signature of these bytes',
    },
    seeds: ['', right, right.toUpperCase(), `${right},${right}`, '0'.repeat(64), ` ${right}`],
    words: [',', 'sha256=', '0', 'f', 'F', right.slice(0, 32)],
  };
}
