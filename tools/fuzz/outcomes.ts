/** What becomes of an input; `npm run fuzz` draws inputs until it has seen each of these. */
export const outcomes = {
  body: [
    // An event that names an order; unknown fields, missing amounts and odd values included.
    'applied',
    // Names no order, and is about money, or not.
    'unassigned',
    'recorded',
    // Each reason is described in docs/openapi.yaml.
    'quarantined: sandbox_flag_missing',
    'quarantined: sandbox_flag_disagrees',
    'quarantined: order_id_invalid',
    'quarantined: transaction_id_invalid',
    'unrecognised: not_utf8',
    'unrecognised: not_json',
    'unrecognised: not_an_object',
    'unrecognised: id_missing',
    'unrecognised: id_invalid',
    'unrecognised: event_name_missing',
    'unrecognised: event_name_invalid',
  ],
  'signature header': [
    '202',
    // No header, or an empty one.
    '403: missing',
    // Anything but 64 lower-case hexadecimal digits; two headers, joined by a comma, too.
    '403: malformed',
    '403: mismatch',
  ],
  'key secret': [
    // A bare private key, or JSON with 1 to 10 of them; unknown fields are ignored.
    'keys',
    'The key secret is not JSON',
    'The key secret has no list of private keys',
    'The key secret is malformed: private_keys has no list of private keys',
    'The key secret is malformed: private_keys lists n private keys',
    'The key secret is malformed: private_keys[n] is not an entry',
    // Other characters than printable ASCII, longer than 500, or without its prefix.
    'The key secret is malformed: private_keys[n].key is not a private key',
    // Without a zone, or a day that does not exist.
    'The key secret is malformed: private_keys[n].accepted_until is not a time',
  ],
} satisfies Record<string, readonly string[]>;
