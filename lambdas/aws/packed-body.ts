import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { bodyBytesMax } from '../contract/limits.ts';
import { bodyDictionaries, dictionaryVersion } from './body-dictionary.ts';

/**
 * A body in one attribute: a byte with the version of its dictionary (0: the body as it is), the number of
 * its UUIDs in a byte, the UUIDs of 16 bytes each, and the rest of the body, raw deflated, with a zero byte
 * in the place of each UUID.
 *
 * `known` are texts that the same row holds in other attributes and that the body repeats: they extend the
 * dictionary. They must be the same when the body is read.
 */
export function packBody(body: Uint8Array, known: readonly string[]): Uint8Array {
  const packed = pack(body, known);
  return packed.length <= body.length ? packed : Buffer.concat([Buffer.of(0), body]);
}

function pack(body: Uint8Array, known: readonly string[]): Buffer {
  const uuids: string[] = [];
  const take = (uuid: string): string => {
    if (uuids.length === uuidsMax || known.some((text) => text.includes(uuid))) return uuid;
    uuids.push(uuid.replaceAll('-', ''));
    return placeholder;
  };
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  // One character for each byte.
  const text = bytes.includes(0) ? undefined : bytes.toString('latin1').replace(uuid, take);
  const rest = text === undefined ? bytes : Buffer.from(text, 'latin1');
  const deflated = deflateRawSync(rest, {
    level: 9,
    memLevel: 9,
    dictionary: dictionaryWith(dictionaryVersion, known),
  });
  return Buffer.concat([
    Buffer.of(dictionaryVersion, uuids.length),
    Buffer.from(uuids.join(''), 'hex'),
    deflated,
  ]);
}

const uuidsMax = 255;
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const placeholder = '\0';

/** The inverse of `packBody`. Throws for a version that this release does not know. */
export function unpackBody(packed: Uint8Array, known: readonly string[]): Uint8Array {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const [version = 0, count = 0] = bytes;
  if (version === 0) return bytes.subarray(1);
  const end = 2 + 16 * count;
  const rest = inflateRawSync(bytes.subarray(end), {
    maxOutputLength: bodyBytesMax,
    dictionary: dictionaryWith(version, known),
  });
  if (count === 0) return rest;
  let next = 2;
  const text = rest.toString('latin1').replaceAll(placeholder, () => {
    next += 16;
    return uuidText(bytes.toString('hex', next - 16, next));
  });
  return Buffer.from(text, 'latin1');
}

const uuidText = (hex: string): string => hex.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** The nearest matches are the shortest, so what the row itself holds comes last. */
function dictionaryWith(version: number, known: readonly string[]): Buffer {
  const preset = bodyDictionaries[version];
  if (preset === undefined) {
    throw new RangeError(
      `A body was deflated with the dictionary ${version}; this version of payhooks has ` +
        `${dictionaryVersion}. Deploy the version that wrote it, or a newer one.`,
    );
  }
  return Buffer.from(preset + known.join(''));
}
