import * as v from 'valibot';
import { instant } from '../contract/instant.ts';
import { eventIdBytesMax, eventNameBytesMax, orderIdBytesMax } from '../contract/limits.ts';
import {
  actCursorCharactersMax,
  actRequestBytesMax,
  attentionsResolvedMax,
  reasonBytesMax,
  replayEventsMax,
  segmentsMax,
} from '../contract/operations-limits.ts';
import { fitsKey } from '../domain/payment-event.ts';
import { readBody, wrongField } from '../http-api/parameters.ts';

const text = (expected: string, fits: (given: string) => boolean) =>
  v.optional(v.pipe(v.string(expected), v.check(fits, expected)));

const key = (what: string, bytesMax: number) =>
  text(`${what} of 1 to ${bytesMax} bytes of UTF-8`, (given) => given !== '' && fitsKey(given, bytesMax));

const wholeNumber = (max: number, expected: string) =>
  v.pipe(v.number(expected), v.safeInteger(expected), v.minValue(1, expected), v.maxValue(max, expected));

const expectedTime = 'a time in ISO 8601 with a zone, such as 2026-11-21T10:00:00Z';
const time = instant(expectedTime);

const expectedNames = `1 to ${attentionsResolvedMax} names of attention, such as refund_exceeds_payment`;
const expectedCursor = 'the unchanged next_cursor of an earlier response';
const expectedReason = `why, in one line of 1 to ${reasonBytesMax} bytes of JSON`;

const expectedProposal = 'the id of a proposal';
const expectedHash = 'a SHA-256 in 64 lowercase hexadecimal digits';

const isHash = (given: string) => /^[0-9a-f]{64}$/.test(given);
const isFew = (names: string[]) => names.length > 0 && names.length <= attentionsResolvedMax;

/**
 * Measured as it stands in JSON, because it may become a part of a fact; and one line of a terminal, which
 * control characters would take over.
 */
const isReason = (given: string): boolean =>
  given.trim() !== '' &&
  given.isWellFormed() &&
  !/\p{Cc}/u.test(given) &&
  Buffer.byteLength(JSON.stringify(given)) - 2 <= reasonBytesMax;

function isSegment(given: string): boolean {
  const [, index, of] = /^([1-9]\d{0,6})\/([1-9]\d{0,6})$/.exec(given) ?? [];
  return Number(index) <= Number(of) && Number(of) <= segmentsMax;
}

/** The fields of every request. The message of a schema is what it expects. */
export const fields = {
  mode: v.optional(v.picklist(['live', 'sandbox'], 'live or sandbox'), 'live'),
  event_id: key('an event id', eventIdBytesMax),
  order_id: key('an order id', orderIdBytesMax),
  event_name: key('an event name', eventNameBytesMax),
  body_sha256: text(expectedHash, isHash),
  plan_sha256: text(expectedHash, isHash),
  sequence: v.optional(
    wholeNumber(Number.MAX_SAFE_INTEGER, 'the sequence of the order, a whole number from 1'),
  ),
  attention: v.optional(
    v.pipe(v.array(v.string(expectedNames), expectedNames), v.check(isFew, expectedNames)),
  ),
  since: v.optional(time),
  until: v.optional(time),
  cursor: text(expectedCursor, (given) => given !== '' && given.length <= actCursorCharactersMax),
  /** A part of the tables. */
  segment: text(`one of 1 to ${segmentsMax} parts of the tables, such as 3/12`, isSegment),
  /** Events in one page. */
  limit: v.optional(
    wholeNumber(replayEventsMax, `a whole number from 1 to ${replayEventsMax}`),
    replayEventsMax,
  ),
  publish: v.optional(v.boolean('true or false'), false),
  readings: v.optional(v.picklist(['current', 'stored'], 'current or stored'), 'current'),
};

export const proposalId = v.pipe(v.string(expectedProposal), v.minLength(1, expectedProposal));
export const requiredReason = v.pipe(v.string(expectedReason), v.check(isReason, expectedReason));

const actFields = {
  mode: fields.mode,
  dry_run: v.optional(v.boolean('true or false'), false),
  reason: text(expectedReason, isReason),
};

export const readRequest = <const Fields extends v.ObjectEntries>(body: string | undefined, own: Fields) =>
  readBody(body, own, actRequestBytesMax);

/** The request for an act, which needs a reason unless it is a dry run. Throws ProblemError. */
export function readActRequest<const Fields extends v.ObjectEntries>(body: string | undefined, own: Fields) {
  const request = readRequest(body, { ...actFields, ...own });
  const { reason, dry_run: isDryRun } = request as v.InferOutput<v.ObjectSchema<typeof actFields, undefined>>;
  if (reason === undefined && !isDryRun) throw wrongField('reason', undefined, expectedReason);
  return request;
}

export type ActRequest = v.InferOutput<v.ObjectSchema<typeof actFields, undefined>>;

/** The refusal of a cursor that belongs to another request, or to none. */
export const wrongCursor = (given: string) => wrongField('cursor', given, expectedCursor);
