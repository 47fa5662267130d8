import fc from 'fast-check';

const text = (value: string): string => JSON.stringify(value);
const texts = (...values: readonly string[]): readonly string[] => values.map(text);
/** The texts between bars. */
const listed = (values: string): readonly string[] => texts(...values.split('|'));
const loneSurrogate = '\ud800';
const notText = [undefined, 'null', 'true', 'false', '{}', '[]', '["T"]', '""'];

/** JSON of one field; `undefined` leaves the field out. Ordinary values come three times as often. */
const anyOf = (ordinary: readonly string[], ...hostile: readonly (readonly string[])[]) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...ordinary) },
    { weight: 1, arbitrary: fc.constantFrom(...notText, ...hostile.flat()) },
  );

const anyAmount = anyOf(
  [...listed('100.00|100|60|40.00|0.01'), '100', '40'],
  listed('-5|-100.00|NaN|Infinity|1e2|0|0.00|1,000.00| 100 |100 |100\n|+100|.5|5.|0100|0x64|٣'),
  ['-5', '1e2', '1E+2', '0', '-0', '100.0000', '"\\u0031\\u0030\\u0030"', '[100]', '{"value":"100"}'],
  texts(loneSurrogate, `100.${'0'.repeat(29)}1`, `100.${'0'.repeat(30)}1`),
  texts('9'.repeat(30), '9'.repeat(31), '1'.repeat(257)),
);
const anyName = anyOf(
  listed('paid|paid|refunded|refunded|failed|disputed').map((name) => name.replace('"', '"transaction.')),
  listed('transaction.charged_back|transaction.updated|transaction.paid |TRANSACTION.PAID|paid'),
  listed('__proto__|constructor|toString'),
  texts('n'.repeat(256), 'n'.repeat(257), '\u0001'.repeat(43)),
);
const anyOrderId = anyOf(
  [...listed('order-1|order-1|order-2'), 'null'],
  ['7', '7.0', '1e2'],
  listed('7|__proto__|a/b?c#d%20é|order-1 '),
  texts(loneSurrogate, 'o'.repeat(1024), 'é'.repeat(512), 'é'.repeat(513)),
  texts('\u0001'.repeat(1024), '\u0001'.repeat(1025)),
);
const anyTransactionId = anyOf(
  listed('T|T|U'),
  ['7', '12345678901234567890'],
  listed('7|__proto__|without an id: a'),
  texts(loneSurrogate, 't'.repeat(256), 't'.repeat(257), '\u0001'.repeat(42), '\u0001'.repeat(43)),
  texts('"'.repeat(128), '"'.repeat(129), '😀'.repeat(64), '😀'.repeat(65)),
);
const anyCurrency = anyOf(
  listed('USD|USD|usd|EUR'),
  ['840'],
  texts(loneSurrogate, 'c'.repeat(256), 'c'.repeat(257), '"'.repeat(129)),
);
const anyTime = anyOf(
  listed('2026-11-21T10:00:00.000000Z|2026-11-21T10:00:01.000000Z'),
  ['0'],
  listed('late'),
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
