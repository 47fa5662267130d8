import { createHash, createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diagnose } from '../../cli/diagnose/diagnosis.ts';
import type { NamedKey } from '../../cli/keys/named-keys.ts';

const named = (text: string, change: Partial<NamedKey> = {}): NamedKey => ({
  id: 'a1b2c3d4e5f6',
  mode: 'live',
  accepted_until: null,
  state: 'current',
  from: 'the stack',
  text,
  ...change,
});
const key = named('pri_diagnose_key');
const event = '{"id":"1","sandbox":false,"url":"https://a.example/ü","amount":"100.00","list":[],"n":1.50}';

const signed = (body: string | Uint8Array, text = key.text) =>
  createHmac('sha256', text).update(body).digest('hex');

/** What is found when `sent` was signed and `body` was verified. */
const found = (
  body: string | Uint8Array,
  header: string,
  keys: Parameters<typeof diagnose>[0]['keys'] = [key],
) => {
  const { verdict, mistakes } = diagnose({ body: Buffer.from(body), header, keys });
  return [verdict, ...mistakes.map(({ name }) => name)];
};

describe('diagnose says of a body', () => {
  it('nothing when the signature is right', () => {
    expect(found(event, signed(event))).toEqual(['right']);
  });

  it.each([
    [
      'indented by two spaces, as JSON.stringify(_, null, 2) does',
      JSON.stringify(JSON.parse(event), null, 2),
    ],
    ['with a space behind , and :', event.replaceAll(',"', ', "').replaceAll('":', '": ')],
    ['with escaped slashes, as PHP writes them', event.replaceAll('/', '\\/')],
    ['with non-ASCII as escapes, as Python writes it', event.replace('ü', '\\u00fc')],
    ['with non-ASCII as escapes in upper case', event.replace('ü', '\\u00FC')],
    ['with both, as PHP writes it by default', event.replaceAll('/', '\\/').replace('ü', '\\u00fc')],
    ['with numbers as JavaScript writes them', JSON.stringify(JSON.parse(event))],
    ['with a line end behind it and laid out anew', `${JSON.stringify(JSON.parse(event), null, 4)}\n`],
  ])('re_serialised, when it was signed %s', (_, sent) => {
    const body = sent.includes('\n') || sent.includes(', ') || sent.includes('\\') ? event : sent;
    // Numbers cannot be restored, so there the event of this test has none that changes.
    const [original, verified] = [sent, body].map((text) => text.replace('1.50', '1.5')) as [string, string];
    if (original === verified) expect(found(event, signed(original))).toEqual(['explained', 're_serialised']);
    else expect(found(verified, signed(original))).toEqual(['explained', 're_serialised']);
  });

  it('re_serialised, when it was verified indented and had been sent compact', () => {
    const indented = JSON.stringify(JSON.parse(event.replace('1.50', '15')), null, 4);
    expect(found(indented, signed(event.replace('1.50', '15')))).toEqual(['explained', 're_serialised']);
  });

  it.each([
    ['without the line end that it was sent with', event, `${event}\n`],
    ['without the CR LF that it was sent with', event, `${event}\r\n`],
    ['with a line end that it was sent without', `${event}\n`, event],
    ['with space around that it was sent without', `  ${event} `, event],
  ])('trimmed, when it is %s', (_, body, sent) => {
    expect(found(body, signed(sent))).toEqual(['explained', 'trimmed']);
  });

  it.each([
    ['gained', `\ufeff${event}`, event],
    ['lost', event, `\ufeff${event}`],
  ])('byte_order_mark, when it has %s one', (_, body, sent) => {
    expect(found(body, signed(sent))).toEqual(['explained', 'byte_order_mark']);
  });

  it.each([
    ['CR LF became LF', 'a\nb\nc', 'a\r\nb\r\nc'],
    ['LF became CR LF', 'a\r\nb\r\nc', 'a\nb\nc'],
  ])('line_ends, when %s', (_, body, sent) => {
    expect(found(body, signed(sent))).toEqual(['explained', 'line_ends']);
  });

  it('base64_literal, when it is the base64 text of what was signed', () => {
    expect(found(Buffer.from(event).toString('base64'), signed(event))).toEqual([
      'explained',
      'base64_literal',
    ]);
  });

  it('base64_literal, when its base64 text was signed', () => {
    const header = signed(Buffer.from(event).toString('base64'));
    expect(found(event, header)).toEqual(['explained', 'base64_literal']);
  });

  it('gzip, when it is compressed and was signed before', () => {
    expect(found(gzipSync(event), signed(event))).toEqual(['explained', 'gzip']);
  });

  it('gzip, when it was signed compressed', () => {
    expect(found(event, signed(gzipSync(event)))).toEqual(['explained', 'gzip']);
  });

  it('charset, when UTF-8 was read as Latin-1 and written as UTF-8', () => {
    const twice = Buffer.from(Buffer.from(event).toString('latin1'), 'utf8');
    expect(found(twice, signed(event))).toEqual(['explained', 'charset']);
  });

  it('empty_body, when nothing was signed', () => {
    expect(found(event, signed(''))).toEqual(['explained', 'empty_body']);
  });

  it('both, when it is compressed and was laid out anew', () => {
    const body = gzipSync('{"a": 1, "b": [2, 3]}');
    expect(found(body, signed('{"a":1,"b":[2,3]}'))).toEqual(['explained', 'gzip', 're_serialised']);
  });

  it('for any JSON: the same JSON in each layout is re_serialised or right', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom<string | number>(2, 4, '\t'), (value, indent) => {
        const [compact, laidOut] = [JSON.stringify(value), JSON.stringify(value, null, indent)];
        const [verdict, ...names] = found(laidOut, signed(compact));
        expect(verdict).toBe(compact === laidOut ? 'right' : 'explained');
        expect(names.filter((name) => name !== 're_serialised' && name !== 'line_ends')).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

describe('diagnose says of a header', () => {
  const right = signed(event);
  it.each([
    ['upper_case', right.toUpperCase()],
    ['prefixed', `sha256=${right}`],
    ['base64_digest', Buffer.from(right, 'hex').toString('base64')],
    ['base64_digest', Buffer.from(right, 'hex').toString('base64url')],
    ['joined_by_comma', `${'0'.repeat(64)}, ${right}`],
    ['joined_by_comma', `${right},${right}`],
    ['white_space_in_header', ` ${right}`],
    ['quoted', `"${right}"`],
    ['header_line', `X-SERVICE-SIGNATURE: ${right}`],
  ])('%s', (name, header) => {
    expect(found(event, header)).toEqual(['explained', name]);
  });

  it.each([['', 'zz', 'not a signature', right.slice(0, 63)]].flat())('not_a_signature: %j', (header) => {
    expect(found(event, header)).toEqual(['explained', 'not_a_signature']);
  });

  it('each of its mistakes beside that of the body', () => {
    const header = `sha256=${signed(`${event}\n`).toUpperCase()}`;
    expect(found(event, header)).toEqual(['explained', 'prefixed', 'upper_case', 'trimmed']);
  });
});

describe('diagnose says of a key', () => {
  const sandbox = named('pri_sandbox_key', { mode: 'sandbox', id: '0a0b0c0d0e0f' });
  const previous = named('pri_previous', { state: 'expired', accepted_until: '2026-11-01T00:00:00.000Z' });
  const other = { ...named('pri_other', { id: '111111111111' }), isOther: true };

  it('sandbox_key, for a live event', () => {
    expect(found(event, signed(event, sandbox.text), [key, sandbox])).toEqual(['explained', 'sandbox_key']);
  });

  it('nothing, when a sandbox event was signed with it', () => {
    const body = event.replace('"sandbox":false', '"sandbox":true');
    expect(found(body, signed(body, sandbox.text), [key, sandbox])).toEqual(['right']);
    expect(found(body, signed(body), [key, sandbox])).toEqual(['explained', 'live_key']);
  });

  it('previous_key, when it is no longer accepted', () => {
    const keys = [key, previous];
    expect(found(event, signed(event, previous.text), keys)).toEqual(['explained', 'previous_key']);
    const { mistakes } = diagnose({ body: Buffer.from(event), header: signed(event, previous.text), keys });
    expect(mistakes[0]?.says).toContain('accepted until 2026-11-01T00:00:00.000Z');
  });

  it('nothing, while the previous one still is accepted', () => {
    const overlap = named('pri_previous', { state: 'overlap', accepted_until: '2099-11-01T00:00:00.000Z' });
    expect(found(event, signed(event, overlap.text), [key, overlap])).toEqual(['right']);
  });

  it('wrong_key, when another known one was used', () => {
    expect(found(event, signed(event, other.text), [key, other])).toEqual(['explained', 'wrong_key']);
  });

  it('wrong_key, unexplained, when no known one was used', () => {
    expect(found(event, signed(event, 'pri_of_a_stranger'))).toEqual(['unexplained', 'wrong_key']);
  });

  it.each([
    ['a line end behind it', `${key.text}\n`],
    ['base64 around it', Buffer.from(key.text).toString('base64')],
    ['no prefix', 'diagnose_key'],
  ])('key_text, when it was used with %s', (_, text) => {
    expect(found(event, signed(event, text))).toEqual(['explained', 'key_text']);
  });

  it('other_algorithm and without_key', () => {
    const sha1 = createHmac('sha1', key.text).update(event).digest('hex');
    expect(found(event, sha1)).toEqual(['explained', 'other_algorithm']);
    const joined = createHash('sha256').update(key.text).update(event).digest('hex');
    expect(found(event, joined)).toEqual(['explained', 'other_algorithm']);
    const bare = createHash('sha256').update(event).digest('hex');
    expect(found(event, bare)).toEqual(['explained', 'without_key']);
  });
});

describe('a diagnosis', () => {
  it('never tells the key or a signature that would be right', () => {
    const headers = [
      signed(event),
      signed(`${event}\n`),
      signed(event, 'pri_stranger'),
      signed(event).toUpperCase(),
    ];
    for (const header of headers) {
      const { verdict, mistakes } = diagnose({ body: Buffer.from(event), header, keys: [key] });
      const text = JSON.stringify([verdict, mistakes]).toLowerCase();
      expect(text).not.toContain(key.text);
      expect(text).not.toContain(signed(event));
      expect(text).not.toContain(signed(`${event}\n`));
    }
  });

  it('gives advice with every mistake', () => {
    const { mistakes } = diagnose({
      body: Buffer.from(event),
      header: signed(event).toUpperCase(),
      keys: [key],
    });
    expect(mistakes[0]?.advice).toContain('lower case');
  });
});
