import fc from 'fast-check';

/** JSON of one field; `undefined` leaves the field out. Ordinary values come three times as often. */
const anyOf = (ordinary: readonly string[], hostile: readonly (string | undefined)[]) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...ordinary) },
    { weight: 1, arbitrary: fc.constantFrom(...hostile) },
  );

const text = (value: string): string => JSON.stringify(value);
const loneSurrogate = '"\\ud800"';
const notText = [undefined, 'null', '""', 'true', 'false', '{}', '[]', '["T"]'];

const anyAmount = anyOf(
  ['"100.00"', '"100"', '100', '"60"', '"40.00"', '40', '"0.01"'],
  [
    ...notText,
    ...['"-5"', '-5', '"-100.00"', '"NaN"', '"Infinity"', '"1e2"', '1e2', '1E+2', '"0"', '0', '"0.00"', '-0'],
    ...[
      '"1,000.00"',
      '" 100 "',
      '"100 "',
      '"100\\n"',
      '"+100"',
      '".5"',
      '"5."',
      '"0100"',
      '100.0000',
      '"0x64"',
      '"٣"',
    ],
    ...['"\\u0031\\u0030\\u0030"', '[100]', '{"value":"100"}', loneSurrogate, text(`100.${'0'.repeat(29)}1`)],
    ...[text(`100.${'0'.repeat(30)}1`), text('9'.repeat(30)), text('9'.repeat(31)), text('1'.repeat(257))],
  ],
);

const anyName = anyOf(
  ['paid', 'paid', 'refunded', 'refunded', 'failed', 'disputed'].map((action) =>
    text(`transaction.${action}`),
  ),
  [
    ...notText,
    ...[
      'transaction.charged_back',
      'transaction.updated',
      'transaction.paid ',
      'TRANSACTION.PAID',
      'paid',
    ].map(text),
    ...['__proto__', 'constructor', 'toString', 'n'.repeat(256), 'n'.repeat(257), '\u0001'.repeat(43)].map(
      text,
    ),
  ],
);

const anyOrderId = anyOf(
  ['"order-1"', '"order-1"', '"order-2"', 'null'],
  [
    ...[...notText, '7', '"7"', '7.0', '1e2', loneSurrogate],
    ...['__proto__', 'a/b?c#d%20é', 'order-1 ', 'o'.repeat(1024), 'é'.repeat(512), 'é'.repeat(513)].map(text),
    ...['\u0001'.repeat(1024), '\u0001'.repeat(1025)].map(text),
  ],
);

const anyTransactionId = anyOf(
  ['"T"', '"T"', '"U"'],
  [
    ...[...notText, '7', '"7"', '12345678901234567890', loneSurrogate],
    ...[
      '__proto__',
      't'.repeat(256),
      't'.repeat(257),
      '\u0001'.repeat(42),
      '\u0001'.repeat(43),
      '"'.repeat(128),
    ].map(text),
    ...['"'.repeat(129), '😀'.repeat(64), '😀'.repeat(65), 'without an id: a'].map(text),
  ],
);

const anyCurrency = anyOf(
  ['"USD"', '"USD"', '"usd"', '"EUR"'],
  [...notText, '840', loneSurrogate, text('c'.repeat(256)), text('c'.repeat(257)), text('"'.repeat(129))],
);
const anyTime = anyOf(
  ['"2026-11-21T10:00:00.000000Z"', '"2026-11-21T10:00:01.000000Z"'],
  [...notText, '0', text('late')],
);
const anySandbox = fc.oneof(
  { weight: 20, arbitrary: fc.constant('false') },
  fc.constantFrom('true', '"false"', 'null'),
);

interface Destination {
  readonly order_id: fc.Arbitrary<string | undefined>;
  readonly id: fc.Arbitrary<string | undefined>;
}

const bodiesTo = (destination: Destination): fc.Arbitrary<string> =>
  fc
    .record({
      letter: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      attempt: fc.constantFrom(undefined, '1', '2'),
      event_name: anyName,
      sandbox: anySandbox,
      amount: anyAmount,
      currency: anyCurrency,
      created_at: anyTime,
      ...destination,
    })
    .map(({ letter, attempt, event_name, sandbox, ...transaction }) => {
      const id = `${letter} ${transaction.order_id} ${transaction.id}`.slice(0, 40);
      const payload = object({ transaction: object({ ...transaction }) });
      return object({ id: text(id), event_name, sandbox, attempt, payload });
    });

/**
 * The texts of signed bodies with values at and beyond every edge. Bodies under one event id name the same
 * order and transaction; `attempt` changes the bytes, and nothing that matters.
 */
export const anyBodies: fc.Arbitrary<string[]> = fc.oneof(
  fc.array(bodiesTo({ order_id: anyOrderId, id: anyTransactionId }), { maxLength: 12 }),
  // One transaction, so that amounts meet.
  fc.array(bodiesTo({ order_id: fc.constant('"order-1"'), id: fc.constant('"T"') }), { maxLength: 6 }),
);

function object(fields: Readonly<Record<string, string | undefined>>): string {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return `{${present.map(([name, value]) => `${text(name)}: ${value}`).join(', ')}}`;
}
