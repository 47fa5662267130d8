import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  MalformedSecretError,
  parseKeySecret,
  signingKeysOf,
  writeKeySecret,
} from '../../lambdas/contract/key-secret.ts';
import { createVerifier } from '../../lambdas/verifier/verifier.ts';
import { consumerOver } from '../../test/doubles/consumer.ts';
import { gatewayEvent } from '../../test/doubles/gateway-event.ts';
import { createMemoryTables } from '../../test/doubles/memory-store.ts';
import { knownSealKeys } from '../../test/doubles/seal.ts';
import { sqsEvent } from '../../test/doubles/sqs-event.ts';
import { recordTelemetry } from '../../test/doubles/telemetry.ts';
import { readBody } from '../simulation/checker/signed-body.ts';
import { anyBody, anySecret, anySigned, key } from './inputs.ts';
import outcomes from './outcomes.json' with { type: 'json' };

/** The consumer records a body exactly, as what a second reader of the documents makes of it. */
async function consume(body: Uint8Array): Promise<string> {
  const { events, open } = createMemoryTables();
  const { batchItemFailures } = await consumerOver(open().store)(sqsEvent({ body }));
  assert.deepEqual(batchItemFailures, [], 'The message goes back to the queue.');
  const [row, ...others] = events.values();
  assert.deepEqual(others, [], 'There are several rows.');
  assert(row?.body !== undefined && Buffer.from(row.body).equals(body), 'The row does not hold these bytes.');
  const outcome = row.reason === undefined ? row.outcome : `${row.outcome}: ${row.reason}`;
  assert.equal(outcome === 'unrecognised: not_utf8', !isUtf8(body));
  assert.equal(outcome === 'unrecognised: not_json', isUtf8(body) && !isJson(body));
  assert.equal(outcome.replace(/^(unrecognised): .*/, '$1'), expectedOutcome(body));
  return outcome;
}

function expectedOutcome(body: Uint8Array): string {
  const reading = readBody(body, 'live');
  if (reading.kind === 'unrecognised') return 'unrecognised';
  if (reading.kind === 'quarantined') return `quarantined: ${reading.reason}`;
  if (reading.event.orderId !== null) return 'applied';
  return ['paid', 'refunded', 'failed', 'disputed'].includes(reading.event.meaning ?? '')
    ? 'unassigned'
    : 'recorded';
}

function isJson(body: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder().decode(body));
    return true;
  } catch {
    return false;
  }
}

/** The verifier queues exactly the bytes that carry the right signature, and nothing else. */
async function verify({
  body,
  right,
  header,
}: {
  body: Uint8Array;
  right: string;
  header: string;
}): Promise<string> {
  const queued: Uint8Array[] = [];
  const keys = async () => ({ keys: [key], isCertain: true });
  const verifier = createVerifier({
    signatureHeader: 'x-signature',
    keys: { current: keys, reread: keys },
    sealKeys: knownSealKeys,
    enqueue: async (message) => void queued.push(message.body),
    now: () => Date.parse('2026-11-21T10:00:00.000Z'),
    telemetry: recordTelemetry(),
  });
  const response = await verifier(
    gatewayEvent({
      routeKey: 'POST /webhooks/payments',
      headers: { 'x-signature': header },
      body: Buffer.from(body).toString('base64'),
      isBase64Encoded: true,
    }),
  );
  if (header === right) {
    assert.equal(response.statusCode, 202);
    assert.deepEqual(queued.map(Buffer.from), [Buffer.from(body)]);
    return '202';
  }
  assert.deepEqual(
    [response.statusCode, response.body, queued],
    [403, '{"message":"Invalid signature"}', []],
  );
  if (header === '') return '403: missing';
  return header.length === 64 && !/[^0-9a-f]/.test(header) ? '403: mismatch' : '403: malformed';
}

/** A secret is read whole, or refused with one of these sentences, none of which quotes a part of it. */
async function readSecret(text: string): Promise<string> {
  try {
    const entries = parseKeySecret(text);
    assert(entries.length >= 1 && entries.length <= 10, 'The number of keys is out of bounds.');
    assert.equal(signingKeysOf(entries).length, entries.length);
    assert.deepEqual(parseKeySecret(writeKeySecret(entries)), entries);
    return 'keys';
  } catch (error) {
    if (!(error instanceof MalformedSecretError)) throw error;
    return (
      error.message
        .replace(/\[\d+\]/, '[n]')
        .replace(/lists \d+ /, 'lists n ')
        .split(/; expected|\.$/)[0] ?? ''
    );
  }
}

/** `npm run fuzz` draws more. */
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 2_000);
const property =
  <Input>(inputs: fc.Arbitrary<Input>, examine: (input: Input) => Promise<string>) =>
  (see: (outcome: string) => void) =>
    fc.assert(
      fc.asyncProperty(inputs, async (input) => see(await examine(input))),
      { numRuns },
    );

it.each([
  ['body', property(anyBody, consume)],
  ['signature header', property(anySigned, verify)],
  ['key secret', property(anySecret, readSecret)],
] as const)(
  'every %s ends in a listed outcome, and each of them is shown',
  async (name, holds) => {
    const listed = Object.keys(outcomes[name]);
    const seen = new Set<string>();
    await holds((outcome) => {
      seen.add(outcome);
      expect(listed).toContain(outcome);
    });
    expect([...seen].toSorted()).toEqual(listed.toSorted());
  },
  3_600_000,
);
