/** A known reason why a signature does not match its body, and what to do about it. */
export interface Mistake {
  readonly name: MistakeName;
  /** What was found. */
  readonly says: string;
  readonly advice: string;
}

export type MistakeName = keyof typeof advice;

const rawBytes =
  'Verify the bytes as they arrived, before any parser has seen them (API document 6, rule 3): keep the ' +
  'raw body ' +
  'of the request, in the framework and in every proxy before it.';
const header =
  'Hand the value of the header over as it came: 64 lower-case hexadecimal digits and nothing else.';

/** Every mistake that is looked for, with what mends it. */
export const advice = {
  re_serialised: rawBytes,
  trimmed: `White space belongs to the bytes. ${rawBytes}`,
  byte_order_mark: `A byte order mark is three bytes more. Read and write the body as bytes. ${rawBytes}`,
  line_ends: `An editor, git or a text mode has changed the line ends. Handle the body as bytes. ${rawBytes}`,
  base64_literal: 'Decode the body when isBase64Encoded is true, and sign or verify what comes out.',
  gzip: 'Sign and verify on the same side of the compression: the payment service signs what it then sends.',
  charset: `The body was decoded in one character set and encoded in another. ${rawBytes}`,
  empty_body: 'The body was read before, as by a middleware, and was empty when the signature was made.',
  upper_case: `Compare in lower case: the digest is sent in lower case. ${header}`,
  prefixed: `Leave the prefix out. ${header}`,
  base64_digest: 'Make the digest hexadecimal, in lower case, and not base64.',
  joined_by_comma: 'The header was sent twice and joined by a comma, as proxies do: send it once.',
  white_space_in_header: header,
  quoted: `Leave the quotation marks out. ${header}`,
  header_line: `The name of the header is no part of its value. ${header}`,
  not_a_signature: header,
  other_algorithm: 'Use HMAC with SHA-256 and the private key (API document 6, rules 1 and 2).',
  without_key: 'Use HMAC with the private key: a hash alone can be made by anybody.',
  key_text:
    'Use the key exactly as the dashboard shows it, as UTF-8 text: pri_ included, and nothing around it.',
  wrong_key:
    'Use the private key of this account and mode: payhooks keys list shows the ids of those accepted.',
  previous_key:
    'The sender still signs with a key that has ended. Rotate it in the dashboard of the payment service, ' +
    'or ' +
    'accept it for longer: payhooks keys add leaves an overlap.',
  sandbox_key:
    'A live event is signed with the live key; sandbox keys sign events with "sandbox": true alone.',
  live_key:
    'An event with "sandbox": true is signed with the sandbox key; under a live one it is quarantined.',
} as const;

export const mistake = (name: MistakeName, says: string): Mistake => ({ name, says, advice: advice[name] });
