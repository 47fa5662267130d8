import * as v from 'valibot';
import { eventIdBytesMax, eventNameBytesMax, orderIdBytesMax } from '../contract/limits.ts';
import {
  actCursorCharactersMax,
  actRequestBytesMax,
  attentionsResolvedMax,
  reasonBytesMax,
  replayEventsMax,
} from '../contract/operations-limits.ts';
import { fitsKey } from '../domain/payment-event.ts';
import type { Mode } from '../domain/signature.ts';
import { readInstant } from '../http-api/instant.ts';
import { InvalidInputError } from '../http-api/parameters.ts';

/** A wrong field of a request: the message names it, what was given and what is expected. */
export class FieldError extends InvalidInputError {
  override readonly name = 'FieldError';
  constructor(field: string, given: unknown, expected: string) {
    const shown = JSON.stringify(given);
    super(field, `The field ${field} is ${shown?.slice(0, 200) ?? 'missing'}; expected ${expected}.`);
  }
}

function key(what: string, bytesMax: number) {
  const expected = `${what} of 1 to ${bytesMax} bytes of UTF-8`;
  return v.pipe(
    v.string(expected),
    v.check((given) => given !== '' && fitsKey(given, bytesMax), expected),
  );
}

const expectedTime = 'a time in ISO 8601 with a zone, such as 2026-11-21T10:00:00Z';
const time = v.pipe(
  v.string(expectedTime),
  v.check((given) => readInstant(given) !== undefined, expectedTime),
  v.transform((given) => readInstant(given) ?? given),
);

const expectedHash = 'a SHA-256 in 64 lowercase hexadecimal digits';
const expectedSequence = 'the sequence of the order, a whole number from 1';
const expectedLimit = `a whole number from 1 to ${replayEventsMax}`;
const expectedNames = `1 to ${attentionsResolvedMax} names of attention, such as refund_exceeds_payment`;
const expectedCursor = 'the unchanged next_cursor of an earlier response';

const modeField = v.optional(v.picklist(['live', 'sandbox'], 'live or sandbox'), 'live');

/** The fields with which acts name their subject. */
const subjectFields = {
  mode: modeField,
  event_id: v.optional(key('an event id', eventIdBytesMax)),
  order_id: v.optional(key('an order id', orderIdBytesMax)),
  event_name: v.optional(key('an event name', eventNameBytesMax)),
  body_sha256: v.optional(v.pipe(v.string(expectedHash), v.regex(/^[0-9a-f]{64}$/, expectedHash))),
  sequence: v.optional(
    v.pipe(v.number(expectedSequence), v.safeInteger(expectedSequence), v.minValue(1, expectedSequence)),
  ),
  attention: v.optional(
    v.pipe(
      v.array(v.string(expectedNames), expectedNames),
      v.minLength(1, expectedNames),
      v.maxLength(attentionsResolvedMax, expectedNames),
    ),
  ),
  since: v.optional(time),
  until: v.optional(time),
  cursor: v.optional(
    v.pipe(
      v.string(expectedCursor),
      v.minLength(1, expectedCursor),
      v.maxLength(actCursorCharactersMax, expectedCursor),
    ),
  ),
  /** Events in one page. */
  limit: v.optional(
    v.pipe(
      v.number(expectedLimit),
      v.safeInteger(expectedLimit),
      v.minValue(1, expectedLimit),
      v.maxValue(replayEventsMax, expectedLimit),
    ),
  ),
  publish: v.optional(v.boolean('true or false'), false),
  readings: v.optional(v.picklist(['current', 'stored'], 'current or stored'), 'current'),
} as const;

type SubjectFields = typeof subjectFields;
export type SubjectField = keyof SubjectFields;

/** What an operator gives with every act. */
export interface ActRequest {
  readonly mode: Mode;
  readonly dryRun: boolean;
  /** Empty only in a dry run. */
  readonly reason: string;
}

/** The subject of an act, as the fields that its route takes. */
export type Subject<Field extends SubjectField> = {
  readonly [Name in Field]: v.InferOutput<SubjectFields[Name]>;
};

const expectedReason = `why, in one line of 1 to ${reasonBytesMax} bytes of JSON`;
const actFields = {
  mode: modeField,
  dry_run: v.optional(v.boolean('true or false'), false),
  reason: v.optional(
    v.pipe(
      v.string(expectedReason),
      v.check((given) => given.trim() !== '' && fitsReason(given), expectedReason),
    ),
  ),
} as const;

/**
 * Measured as it stands in JSON, because it may become a part of a fact; and one line of a terminal, which
 * control characters would take over.
 */
const fitsReason = (given: string): boolean =>
  given.isWellFormed() &&
  !/\p{Cc}/u.test(given) &&
  Buffer.byteLength(JSON.stringify(given)) - 2 <= reasonBytesMax;

/** Reads the request for an act whose subject takes these fields. Throws FieldError. */
export function readActRequest<Field extends SubjectField>(
  body: string | undefined,
  names: readonly Field[],
): ActRequest & { readonly subject: Subject<Field> } {
  const given = parseJson(body);
  refuseUnknownFields(given, [...Object.keys(actFields), ...names]);
  const mode = readField(given, 'mode', actFields.mode);
  const dryRun = readField(given, 'dry_run', actFields.dry_run);
  const reason = readField(given, 'reason', actFields.reason);
  if (reason === undefined && !dryRun) throw new FieldError('reason', undefined, expectedReason);
  return { mode, dryRun, reason: reason ?? '', subject: pickSubject(given, names) };
}

/** Reads a request that changes nothing, and so has no reason. Throws FieldError. */
export function readSubject<Field extends SubjectField>(
  body: string | undefined,
  names: readonly Field[],
): Subject<Field> {
  const given = parseJson(body);
  refuseUnknownFields(given, names);
  return pickSubject(given, names);
}

type Given = Readonly<Record<string, unknown>>;

function pickSubject<Field extends SubjectField>(given: Given, names: readonly Field[]): Subject<Field> {
  const picked = names.map((name) => [name, readField(given, name, subjectFields[name])]);
  return Object.fromEntries(picked) as Subject<Field>;
}

function refuseUnknownFields(given: Given, known: readonly string[]): void {
  for (const [name, value] of Object.entries(given)) {
    if (!known.includes(name)) throw new FieldError(name, value, `one of the fields ${known.join(', ')}`);
  }
}

function readField<Schema extends v.GenericSchema>(
  given: Given,
  name: string,
  schema: Schema,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, given[name]);
  if (result.success) return result.output;
  throw new FieldError(name, given[name], result.issues[0].message);
}

const expectedBody = `a JSON object of at most ${actRequestBytesMax} bytes`;

function parseJson(body = ''): Given {
  const bytes = Buffer.byteLength(body);
  const wrong = (what: string) =>
    new InvalidInputError('body', `The body of the request ${what}; expected ${expectedBody}.`);
  if (bytes > actRequestBytesMax) throw wrong(`has ${bytes} bytes`);
  try {
    const json: unknown = JSON.parse(body);
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Given;
  } catch {
    throw wrong('is not JSON');
  }
  throw wrong('is not an object');
}
