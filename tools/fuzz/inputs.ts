/** What anyone may send, and what an operator may mistype: values at and beyond every edge. */
import fc from 'fast-check';
import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';

/** Texts with escapes, controls and lone surrogates, short or longer than every limit. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.nat(0xffff), { maxLength: 4 }).map((units) => String.fromCharCode(...units)),
  fc.tuple(fc.constantFrom('x', 'é', '"', '\u0001'), fc.nat(1_100)).map(([one, times]) => one.repeat(times)),
);
/** One of the ordinary values three times in four; `undefined` leaves a field out. */
const mostly = (...ordinary: readonly unknown[]) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...ordinary) },
    { weight: 1, arbitrary: anyText },
    { weight: 1, arbitrary: fc.option(fc.jsonValue(), { nil: undefined }) },
  );

const anyEvent = fc.record({
  id: mostly('evt-1'),
  event_name: mostly('transaction.paid', 'transaction.refunded', 'account.updated'),
  sandbox: mostly(false, true),
  payload: fc.oneof(
    { weight: 1, arbitrary: fc.jsonValue() },
    {
      weight: 4,
      arbitrary: fc.record({
        transaction: fc.record({
          id: mostly('T-1', 7),
          order_id: mostly('order-1', 7, undefined),
          amount: mostly('100.00', 100.1),
          currency: mostly('USD'),
          created_at: mostly('2026-11-21T10:00:00.000000Z'),
        }),
      }),
    },
  ),
});

/** The bytes on both sides of each border of UTF-8 (RFC 3629). */
const borders = Buffer.from('61807f8f909fa0bfc0c1c2dfe0edeeeff0f4f5ff', 'hex');
const borderBytes = fc
  .array(fc.constantFrom(...borders), { maxLength: 5 })
  .map((bytes) => Buffer.from(bytes));

/** Some bytes in the middle are replaced by others. */
const damaged = (whole: fc.Arbitrary<string>) =>
  fc
    .tuple(
      whole,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.nat(3),
      fc.oneof(borderBytes, fc.uint8Array()),
    )
    .map(([text, position, removed, inserted]) => {
      const bytes = Buffer.from(text);
      const at = Math.floor(position * bytes.length);
      return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + removed)]);
    });

const asBytes = (texts: fc.Arbitrary<string>) => texts.map((text): Uint8Array => Buffer.from(text));

export const anyBody: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 6, arbitrary: asBytes(anyEvent.map((event) => JSON.stringify(event))) },
  { weight: 2, arbitrary: damaged(anyEvent.map((event) => JSON.stringify(event))) },
  { weight: 1, arbitrary: asBytes(fc.json()) },
  { weight: 1, arbitrary: fc.uint8Array() },
);

export const key = createSigningKey('pri_test_key');
const hexDigits = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 63, maxLength: 65 });

/** A signature header and the body beside it. */
export const anySigned = fc.uint8Array().chain((body) => {
  const right = sign(key, body);
  const header = fc.oneof(
    fc.constantFrom(right, '', right.toUpperCase(), `${right},${right}`, `sha256=${right}`, ` ${right}`),
    damaged(fc.constant(right)).map((bytes) => bytes.toString('latin1')),
    hexDigits,
    anyText,
  );
  return fc.record({ body: fc.constant(body), right: fc.constant(right), header });
});

const printable = fc.string({ unit: fc.constantFrom(...'az09_-~!'), minLength: 1, maxLength: 20 });
const rightKey = fc.tuple(fc.constantFrom('pri_', 'pri_sandbox_'), printable).map((parts) => parts.join(''));
const rightTime = fc.constantFrom(undefined, null, '2026-12-01T00:00:00Z', '2026-12-01T01:00+14:00');
const anyEntry = fc.oneof(
  { weight: 9, arbitrary: fc.record({ key: rightKey, accepted_until: rightTime }) },
  { weight: 1, arbitrary: fc.record({ key: fc.oneof(rightKey, anyText), accepted_until: rightTime }) },
  {
    weight: 1,
    arbitrary: fc.record({ key: rightKey, accepted_until: mostly('2026-12-32T00:00:00Z', 'soon') }),
  },
  { weight: 1, arbitrary: fc.jsonValue() },
);
const anySecretJson = fc
  .record({
    private_keys: fc.oneof({ weight: 9, arbitrary: fc.array(anyEntry, { maxLength: 12 }) }, fc.jsonValue()),
  })
  .map((secret) => JSON.stringify(secret));

export const anySecret: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: anySecretJson },
  { weight: 1, arbitrary: damaged(anySecretJson).map(String) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('', ' ', '\n'), rightKey).map((parts) => parts.join('')) },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.json(),
      anyText.map((text) => `pri_${text}`),
    ),
  },
);
