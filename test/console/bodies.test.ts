import { bytesOf as bodyOf, paidEvent } from '@payhooks/payment-service/simulator';
import { describe, expect, it } from 'vitest';
import { diffOfBodies } from '../../console/page/event/body-differences.ts';
import { prettyLines } from '../../console/page/event/pretty-json.ts';
import { readBody } from '../../console/page/event/read-body.ts';

const base64 = (body: Uint8Array | string): string => Buffer.from(body).toString('base64');
const linesOf = (text: string) => {
  const read = readBody(base64(text));
  return read.kind === 'json' ? prettyLines(read.value) : expect.unreachable();
};

describe('a body in the console', () => {
  it('is pretty JSON, whose masked form shows no customer data and keeps its shape', () => {
    const body = Buffer.from(bodyOf(paidEvent({ orderId: 'order-1', seed: 's' }))).toString();
    const lines = linesOf(body);
    expect(JSON.parse(lines.map(({ text }) => text).join('\n'))).toEqual(JSON.parse(body));
    const masked = lines.map((line) => line.masked).join('\n');
    for (const personal of ['Nobody Real', 'nobody@shop.example', 'Inventedville', 'invented-cart-7']) {
      expect(body).toContain(personal);
      expect(masked).not.toContain(personal);
    }
    expect(masked).toContain('      "name": "•••••• ••••",');
    expect(masked).toContain('"order_id": "order-1"');
    expect(masked).toContain('"name": "credit_card"');
    expect(masked.split('\n').map((line) => line.length)).toEqual(lines.map(({ text }) => text.length));
  });

  it('keeps null and empty values, and masks numbers and booleans of a card', () => {
    const lines = linesOf('{"card":{"a":null,"b":true,"c":12,"d":[],"e":{}},"x":[1,"y"]}');
    expect(lines.map(({ masked }) => masked.trim())).toEqual([
      ...['{', '"card": {', '"a": null,', '"b": ••••,', '"c": ••,', '"d": [],', '"e": {}', '},'],
      ...['"x": [', '•,', '"•"', ']', '}'],
    ]);
  });

  it.each([
    ['a field that no document shows', '{"payload":{"shopper":{"email":"ada@example.com"}}}', 'ada'],
    ['a name outside a payment method', '{"payment_method":{"card":{"name":"Ada"}},"name":"Ada"}', 'Ada'],
    ['a body that is only text', '"ada@example.com"', 'ada'],
    ['an item of an array', '{"customers":["Ada"],"customer":[{"amount":"Ada"}]}', 'Ada'],
    ['a key', '{"metadata":{"ada@example.com":true}}', 'ada@'],
  ])('masks %s', (_, text, personal) => {
    const lines = linesOf(text);
    expect(lines.map((line) => line.text).join('\n')).toContain(personal);
    expect(lines.map((line) => line.masked).join('\n')).not.toContain(personal);
  });

  it('shows numbers as they were sent', () => {
    const numbers = linesOf('{"a":100.10,"b":12345678901234567890,"c":1e3,"d":-0}');
    expect(numbers.map(({ text }) => text.trim()).slice(1, -1)).toEqual([
      ...['"a": 100.10,', '"b": 12345678901234567890,', '"c": 1e3,', '"d": -0'],
    ]);
  });

  it.each([
    ['no JSON', base64('not JSON at all'), 'The body is not JSON.'],
    ['no UTF-8', base64(Uint8Array.of(0xff, 0xfe, 0x00)), 'The body is not text in UTF-8.'],
    [
      'JSON of 65 levels',
      base64(`${'['.repeat(65)}${']'.repeat(65)}`),
      'The body is JSON of more than 64 levels.',
    ],
    [
      'JSON of 100,000 levels',
      base64('{"a":'.repeat(100_000) + 1 + '}'.repeat(100_000)),
      'The body is JSON of more than 64 levels.',
    ],
  ])('is bytes when it is %s', (_, given, why) => {
    expect(readBody(given)).toMatchObject({ kind: 'bytes', why });
  });
});

describe('the comparison of two bodies', () => {
  const parsed = (text: string): unknown => JSON.parse(text);
  const compare = (left: string, right: string, shown = { isShown: true, isWhole: true }) =>
    diffOfBodies(parsed(left), parsed(right), shown).map(({ sign, text }) => `${sign} ${text.trim()}`);

  it('finds a difference where both values are masked', () => {
    const masked = { isShown: false, isWhole: false };
    const compared = compare('{"customer":{"n":"ab"}}', '{"customer":{"n":"cd"}}', masked);
    expect(compared.filter((line) => !line.startsWith(' '))).toEqual(['- "n": "••"', '+ "n": "••"']);
  });

  it('leaves out lines that are equal and far from a difference', () => {
    const list = (changed: number) =>
      JSON.stringify(Array.from({ length: 20 }, (_, n) => (n === 9 ? changed : n)));
    expect(compare(list(1), list(2), { isShown: false, isWhole: false })).toEqual([
      ...['  [', '  •,', '  … 6 equal lines', '  •,', '  •,', '- •,', '+ •,'],
      ...['  ••,', '  ••,', '  … 7 equal lines', '  ••', '  ]'],
    ]);
  });

  it('ends within a second for bodies that differ in almost everything, and shows a part of them', () => {
    const list = (start: number) =>
      JSON.stringify(Array.from({ length: 40_000 }, (_, n) => start + n * 7919));
    const compared = compare(list(1), list(2));
    expect(compared).toHaveLength(2_001);
    expect(compared.at(-1)).toBe('  … 78,004 more lines not shown'.trimEnd());
  });
});
