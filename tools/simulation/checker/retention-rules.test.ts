import { expect, it } from 'vitest';
import { type Change, sentencesAfter, set } from '../../../test/doubles/changed-history.ts';
import { sha256, texts } from '../../../test/doubles/sample-history.ts';

const day = 24 * 60 * 60 * 1_000;
const bodyRow = (id: string, text: string) => ({
  ...{ event_key: { S: `live:event:${id}` }, record: { S: `body:${sha256(text)}` } },
  body: { B: Buffer.from(text).toString('base64') },
});
const paid = bodyRow('evt-1', texts.paid);

/** Bodies are kept for 20 days. */
const retain: Change = ({ settings }) => {
  settings.eventRetentionDays = 20;
};
/** The body was sent in the first minutes of the history. */
const expire =
  (days: number, row: ReturnType<typeof bodyRow> = paid): Change =>
  ({ expiredRows, startedAt }) =>
    expiredRows.push({ at: startedAt + days * day, table: 'events', row });
const retained = (...changes: readonly Change[]): readonly string[] =>
  sentencesAfter(retain, ...changes).filter((sentence) => sentence.startsWith('retention'));

it('the body of an event expires after its days', () => {
  expect(retained(expire(21))).toEqual([]);
  expect(retained(expire(19))).toEqual([
    'retention: The body of the live event "evt-1" expired before its 20 days had passed.',
  ]);
});

it('the body of an event that waits does not expire', () => {
  const lonely = expire(21, bodyRow('evt-5', texts.lonely));
  expect(retained(lonely)).toEqual([
    'retention: The body of the live event "evt-5" has expired, and the event waits for a person, who needs it.',
  ]);
  expect(retained(lonely, set('waiting', undefined, 'live:event:evt-5'))).toEqual([]);
});

it('the body of an event that does not wait has an end', () => {
  const keep =
    (more: object): Change =>
    ({ tables }) =>
      tables.events.push({ ...paid, ...more });
  expect(retained(keep({ expires_at: { N: '1800000000' } }))).toEqual([]);
  expect(retained(keep({ erased: { M: {} } }))).toEqual([]);
  expect(retained(keep({}))).toEqual([
    'retention: The body of the live event "evt-1" never expires, and nothing waits for it.',
  ]);
  expect(sentencesAfter(keep({})).filter((sentence) => sentence.startsWith('retention'))).toEqual([]);
});
