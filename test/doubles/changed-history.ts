import { check } from '../../tools/simulation/checker/check.ts';
import type { History, Row } from '../../tools/simulation/history.ts';
import { type Changeable, sampleHistory } from './sample-history.ts';

/** Changes the sample history, so that a rule no longer holds. */
export type Change = (history: Changeable<History>) => void;

export function sentencesAfter(...changes: readonly Change[]): readonly string[] {
  const history = sampleHistory();
  for (const change of changes) change(history);
  return check(history).map(({ rule, sentence }) => `${rule}: ${sentence}`);
}

export const rowsOf = (history: Changeable<History>, key: string, record = ''): Changeable<Row>[] =>
  history.tables.events.filter(
    (row) => row['event_key']?.['S'] === key && String(row['record']?.['S']).startsWith(record),
  );
export const remove = (history: Changeable<History>, key: string, record = ''): void => {
  const gone = rowsOf(history, key, record);
  history.tables.events = history.tables.events.filter((row) => !gone.includes(row));
};
export const set = (
  attribute: string,
  value: Record<string, unknown> | undefined,
  key: string,
  record = '',
) =>
  ((history) => {
    const [row] = rowsOf(history, key, record);
    if (value === undefined) delete row?.[attribute];
    else if (row) row[attribute] = value;
  }) satisfies Change;
const lastAttempt = (history: Changeable<History>, number: number) =>
  history.deliveries.find((one) => one.number === number)?.attempts.at(-1);
export const status =
  (number: number, code: number): Change =>
  (history) => {
    const attempt = lastAttempt(history, number);
    if (attempt) attempt.outcome = { kind: 'status', status: code, body: '' };
  };
export const view = (history: Changeable<History>, n: number): Record<string, unknown> => {
  const outcome = history.finalReads.orders[n]?.outcome;
  return outcome?.kind === 'status' ? (outcome.body as Record<string, unknown>) : {};
};
export const published = (history: Changeable<History>, n: number, fields: object): void => {
  const message = history.bus[n];
  if (message) message.detail = JSON.stringify({ ...JSON.parse(message.detail), ...fields });
};
/** A message of the event queue. */
export function message(text: string) {
  const body = Buffer.from(text).toString('base64');
  return { id: 'm', body, attributes: { mode: 'live' }, sentAt: 0, receives: 3 };
}
