/**
 * How an order's row may hold the fact of an event: `["event.2", TEXT]`, about half as long as the fact. The
 * fact itself stays `["event.1", …]` (`fact.ts`), which digests and corrections refer to. Rows are decoded
 * when they are read, so a set that holds one event in both forms has one fact of it.
 *
 * TEXT has the fields of the fact, joined by spaces: id, name, transaction, amount, currency, creation time.
 * `null` is empty; a UUID has 22 characters of base64url; a name that begins with `transaction.` goes without
 * that; a time with microseconds is their number since 1970 to the base 36; all other text is URL-encoded.
 */
const prefix = '["event.2","';
const suffix = '"]';

/** The shortest form of a fact; the fact itself where the short form would not give it back exactly. */
export function storedFact(fact: string): string {
  const packed = packFact(fact);
  const stored = packed && attempt(() => `${prefix}${packId(packed.eventId)} ${packed.details}${suffix}`);
  return stored !== undefined && stored.length < fact.length && factOfStored(stored) === fact ? stored : fact;
}

/** The inverse of `storedFact`. Any other text, such as that of an unknown format, is returned as it is. */
export function factOfStored(stored: string): string {
  if (!stored.startsWith(prefix) || !stored.endsWith(suffix)) return stored;
  const [id = '', ...details] = stored.slice(prefix.length, -suffix.length).split(' ');
  return attempt(() => unpackFact({ eventId: unpackId(id), details: details.join(' ') })) ?? stored;
}

/** Every form in which a row may hold a fact. */
export const formsOf = (fact: string): readonly string[] => [...new Set([storedFact(fact), fact])];

/** The fact of an event whose id is stored elsewhere, such as in the key of its row. */
export interface PackedFact {
  readonly eventId: string;
  /** TEXT without the id. */
  readonly details: string;
}

/** `undefined` for any other fact, and for one that the short form would not give back exactly. */
export function packFact(fact: string): PackedFact | undefined {
  const packed = attempt(() => {
    const [, eventId, ...fields] = JSON.parse(fact) as [string, string, ...(string | null)[]];
    const details = fields.map((field, index) => (field === null ? '' : packers[index]?.(field))).join(' ');
    return { eventId, details };
  });
  return packed !== undefined && unpackFact(packed) === fact ? packed : undefined;
}

/** The inverse of `packFact`; `undefined` when the details are none. */
export function unpackFact({ eventId, details }: PackedFact): string | undefined {
  const parts = details.split(' ');
  if (parts.length !== unpackers.length) return undefined;
  return attempt(() => {
    const fields = parts.map((part, index) => (part === '' ? null : unpackers[index]?.(part)));
    return JSON.stringify(['event.1', eventId, ...fields]);
  });
}

/** A lone surrogate has no URL-encoded form, and half of a URL-encoded character no text: both throw. */
function attempt<Result>(decode: () => Result): Result | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const packId = (id: string): string =>
  uuid.test(id) ? Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url') : encodeURIComponent(id);

function unpackId(part: string): string {
  if (!/^[\w-]{22}$/.test(part)) return decodeURIComponent(part);
  const hex = Buffer.from(part, 'base64url').toString('hex');
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const namePrefix = 'transaction.';
const packName = (name: string): string =>
  encodeURIComponent(name.startsWith(namePrefix) ? name.slice(namePrefix.length) : name);
const unpackName = (part: string): string =>
  part.includes('.') ? decodeURIComponent(part) : namePrefix + decodeURIComponent(part);

const instant = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})(\d{3})Z$/;

function packTime(time: string): string {
  const [, milliseconds, microseconds] = instant.exec(time) ?? [];
  const since1970 = Date.parse(`${milliseconds}Z`) * 1_000 + Number(microseconds);
  return since1970 >= 0 ? since1970.toString(36) : encodeURIComponent(time);
}

function unpackTime(part: string): string {
  if (!/^[0-9a-z]{1,11}$/.test(part)) return decodeURIComponent(part);
  const since1970 = Number.parseInt(part, 36);
  const milliseconds = new Date(Math.floor(since1970 / 1_000)).toISOString().slice(0, -1);
  return `${milliseconds}${String(since1970 % 1_000).padStart(3, '0')}Z`;
}

/** Of name, transaction, amount, currency and creation time. */
type Codec = (text: string) => string;
const packers: readonly Codec[] = [packName, packId, encodeURIComponent, encodeURIComponent, packTime];
const unpackers: readonly Codec[] = [
  unpackName,
  unpackId,
  decodeURIComponent,
  decodeURIComponent,
  unpackTime,
];
