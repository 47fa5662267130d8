/**
 * `plain`: any id may be like this. `empty` names nothing. No table key can hold what is `not unicode` or
 * `long`.
 */
export type NaughtyKind = 'plain' | 'empty' | 'not unicode' | 'long';

export interface NaughtyString {
  readonly what: string;
  readonly text: string;
  readonly kind: NaughtyKind;
}

const plain = (what: string, text: string): NaughtyString => ({ what, text, kind: 'plain' });

/** Texts that programs read wrongly, collected by us. */
export const naughtyStrings: readonly NaughtyString[] = [
  { what: 'nothing', text: '', kind: 'empty' },
  plain('a blank', ' '),
  plain('blanks of Unicode', '\u00a0\u2000\u2003\u2028\u2029\u3000'),
  plain('a word of JavaScript', 'undefined'),
  plain('another word of JavaScript', 'null'),
  plain('no number', 'NaN'),
  plain('an endless number', '-Infinity'),
  plain('minus zero', '-0'),
  plain('a number that a double cannot hold', '12345678901234567890'),
  plain('a number with an exponent', '1e400'),
  plain('a hexadecimal number', '0x1f'),
  plain('Arabic digits', '٣٤٥'),
  plain('a property of every object', '__proto__'),
  plain('a constructor', 'constructor'),
  plain('a method of every object', 'hasOwnProperty'),
  plain('a method that JSON.stringify calls', 'toJSON'),
  plain('the separator of keys', ':'),
  plain('the key of another mode', 'sandbox:order:1'),
  plain('a key of the heartbeat', 'heartbeat:event:1'),
  plain('a parent folder', '../../etc/passwd'),
  plain('an encoded slash', '%2F%2e%2e%2f'),
  plain('a wrong percent sign', '%E0%A4%A'),
  plain('a query string', '?mode=sandbox&limit=0#top'),
  plain('quotation marks', '"\'`'),
  plain('backslashes', '\\\\u0000\\'),
  plain('JSON', '{"id":"x"}'),
  plain('a line of a log', '\n{"level":"ERROR","message":"forged"}\n'),
  plain('an embedded metric', '{"_aws":{"CloudWatchMetrics":[]}}'),
  plain('two headers', 'a\r\nx-service-signature: b'),
  plain('a script', '<script>alert(1)</script>'),
  plain('a command', '$(reboot); `reboot` | reboot'),
  plain('SQL', "'; DROP TABLE orders; --"),
  plain('a lookup', '$' + '{jndi:ldap://127.0.0.1/a}'),
  plain('a format', '%s%n%p{0}%@'),
  plain('the null character', 'a\u0000b'),
  plain('control characters', '\u0001\u0008\u000b\u001b[31m\u007f'),
  plain('a byte order mark', '\ufeffid'),
  plain('characters that SQS refuses', '\ufffe\uffff'),
  plain('the replacement character', '\ufffd'),
  plain('a private use character', '\ue000\u{10fffd}'),
  plain('an emoji of several', '👩‍👩‍👧‍👦🏴󠁧󠁢󠁳󠁣󠁴󠁿'),
  plain('right to left', '\u202egnihton\u202c مرحبا'),
  plain('zero width', '\u200b\u200d\u2060id'),
  plain('marks over each other', 'Z\u0351\u036b\u0343\u036a\u0302'),
  plain('decomposed', 'e\u0301'),
  plain('composed', 'é'),
  plain('letters that grow in upper case', 'ßİﬃŉ'),
  { what: 'half of a surrogate pair', text: '\ud83d', kind: 'not unicode' },
  { what: 'the other half', text: 'a\udc00', kind: 'not unicode' },
  { what: 'both in the wrong order', text: '\udc00\ud83d', kind: 'not unicode' },
  { what: '1,025 letters', text: 'x'.repeat(1_025), kind: 'long' },
  { what: '513 letters of two bytes', text: 'é'.repeat(513), kind: 'long' },
];
