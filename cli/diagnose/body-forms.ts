import { brotliDecompressSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib';
import { isJson, type Layout, layouts, rewritten, type Strings, stringForms } from './json-text.ts';
import { type Mistake, mistake } from './mistake.ts';

/** Bytes that may have been signed, and what stands between them and the body. */
export interface BodyForm {
  readonly bytes: Uint8Array;
  readonly mistakes: readonly Mistake[];
}

const decompressedBytesMax = 4 * 1024 * 1024;
const mark = Buffer.from([0xef, 0xbb, 0xbf]);

/** The body itself, then all that one mistake makes of it, then what two make of it. */
export function* bodyForms(body: Uint8Array): Generator<BodyForm, void, undefined> {
  const bytes = Buffer.from(body);
  yield { bytes, mistakes: [] };
  const wrapped = wrappings(bytes);
  yield* wrapped;
  yield* writings(bytes, []);
  for (const form of wrapped) yield* writings(Buffer.from(form.bytes), form.mistakes);
}

/** Everything but JSON that is written anew. */
function wrappings(body: Buffer): readonly BodyForm[] {
  const text = body.toString('utf8');
  const forms: BodyForm[] = [];
  const add = (bytes: Buffer | undefined, made: Mistake): void => {
    if (bytes !== undefined && !bytes.equals(body)) forms.push({ bytes, mistakes: [made] });
  };
  const starts = body.subarray(0, 3).equals(mark);
  const withMark = mistake('byte_order_mark', 'The signature is that of the body with a byte order mark.');
  const withoutMark = mistake(
    'byte_order_mark',
    'The signature is that of the body without its byte order mark.',
  );
  if (starts) add(body.subarray(3), withoutMark);
  else add(Buffer.concat([mark, body]), withMark);

  const ends = (with_: string) =>
    mistake('line_ends', `The signature is that of the body with ${with_} at the ends of its lines.`);
  add(Buffer.from(text.replaceAll('\r\n', '\n')), ends('LF alone'));
  add(Buffer.from(text.replaceAll(/\r?\n/g, '\r\n')), ends('CR LF'));

  const trimmed = mistake('trimmed', 'The signature is that of the body without the white space around it.');
  add(Buffer.from(text.trim()), trimmed);
  add(Buffer.from(text.trimEnd()), trimmed);
  for (const [tail, name] of [
    ['\n', 'a line end'],
    ['\r\n', 'CR LF'],
    [' ', 'a space'],
  ] as const) {
    add(
      Buffer.from(text + tail),
      mistake('trimmed', `The signature is that of the body with ${name} behind it.`),
    );
  }
  for (const form of [...encodings(body), ...compressions(body)]) add(Buffer.from(form.bytes), form.made);
  add(Buffer.alloc(0), mistake('empty_body', 'The signature is that of an empty body.'));
  return forms;
}

interface Made {
  readonly bytes: Uint8Array;
  readonly made: Mistake;
}

function encodings(body: Buffer): readonly Made[] {
  const text = body.toString('latin1').trim();
  const literal = mistake('base64_literal', 'The signature is that of the base64 text of the body.');
  const decoded = mistake(
    'base64_literal',
    'The body is base64 text, and the signature is that of what it encodes.',
  );
  const charset = mistake('charset', 'The signature is that of the body in another character set.');
  return [
    { bytes: Buffer.from(body.toString('base64')), made: literal },
    { bytes: Buffer.from(body.toString('base64url')), made: literal },
    ...(/^[\w+/-]+={0,2}$/.test(text) ? [{ bytes: Buffer.from(text, 'base64'), made: decoded }] : []),
    { bytes: Buffer.from(body.toString('latin1'), 'utf8'), made: charset },
    { bytes: Buffer.from(body.toString('utf8'), 'latin1'), made: charset },
  ];
}

/** The operating system's number in a gzip header, as different libraries set it (RFC 1952, 2.3.1). */
const gzipSystems = [0x03, 0xff, 0x00, 0x13, 0x0a];

function compressions(body: Buffer): readonly Made[] {
  const compressed = mistake('gzip', 'The body is compressed, and the signature is that of what it holds.');
  const plain = mistake('gzip', 'The signature is that of the compressed body.');
  const options = { maxOutputLength: decompressedBytesMax };
  const opened = [gunzipSync, inflateSync, brotliDecompressSync].flatMap((open): Made[] => {
    try {
      return [{ bytes: open(body, options), made: compressed }];
    } catch {
      return [];
    }
  });
  if (opened.length > 0) return opened;
  return [6, 9, 1].flatMap((level) =>
    gzipSystems.map((system) => {
      const bytes = gzipSync(body, { level });
      bytes[9] = system;
      return { bytes, made: plain };
    }),
  );
}

const layoutNames: Readonly<Record<Layout, string>> = {
  kept: 'laid out as it is',
  compact: 'without white space',
  spaced: 'with a space behind each comma and colon',
  'indent-2': 'indented by two spaces',
  'indent-4': 'indented by four spaces',
  'indent-tab': 'indented by tabs',
};
const stringNames: Readonly<Record<Strings, string>> = {
  kept: '',
  plain: ', its strings without needless escapes',
  slashes: ', / as \\/',
  ascii: ', what is not ASCII as \\u escapes',
  'ascii-upper': ', what is not ASCII as \\u escapes in upper case',
  'ascii-slashes': ', / as \\/ and what is not ASCII as \\u escapes',
  html: ', <, > and & as \\u escapes',
};

/** The JSON as serialisers write it: the same meaning in other bytes. */
function* writings(body: Buffer, before: readonly Mistake[]): Generator<BodyForm, void, undefined> {
  const text = body.toString('utf8');
  if (!isJson(text)) return;
  const seen = new Set<string>([text]);
  const form = (json: string, how: string): BodyForm[] => {
    if (seen.has(json)) return [];
    seen.add(json);
    const made = mistake('re_serialised', `The signature is that of the same JSON written anew, ${how}.`);
    return [{ bytes: Buffer.from(json), mistakes: [...before, made] }];
  };
  for (const layout of layouts) {
    for (const strings of stringForms) {
      const how = `${layoutNames[layout]}${stringNames[strings]}`;
      const json = rewritten(text.trim(), layout, strings);
      yield* form(json, how);
      yield* form(`${json}\n`, `${how}, with a line end behind it`);
    }
  }
  yield* form(JSON.stringify(JSON.parse(text)), 'with its numbers as JavaScript writes them');
  yield* form(JSON.stringify(text), 'as a string inside JSON');
  const value: unknown = JSON.parse(text);
  if (typeof value === 'string') yield* form(value, 'from a string inside JSON');
}
