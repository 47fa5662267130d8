import { eventNameKey, eventRecord } from '../../lambdas/contract/schema.ts';
import type { Judgement } from '../../lambdas/ports/decisions.ts';
import type { EventNameState, JudgementChange, JudgementWriter } from '../../lambdas/ports/judgements.ts';
import type { EventRow } from '../../lambdas/ports/stores.ts';
import type { memoryStores } from './memory-stores.ts';

type Judged = Partial<Pick<EventRow, 'outcome' | 'waiting' | 'judged'>>;

/** The judgements on tables in memory; writes have the conditions that they have in DynamoDB. */
export function memoryJudgements({
  events,
  eventNames,
}: Pick<ReturnType<typeof memoryStores>, 'events' | 'eventNames'>): JudgementWriter {
  const names = new Map<string, Judged>();
  const nameState = (key: string): EventNameState | undefined => {
    const name = eventNames.get(key);
    return name && { ...name, ...(names.get(key) ?? { waiting: 'event_name' }) };
  };

  return {
    async judge(change) {
      const { key, record } = change.row;
      if (record === eventRecord.eventName) {
        const state = nameState(key);
        if (state === undefined || !isAsExpected(state, change)) return false;
        const { waiting, judged } = after(state, change);
        names.set(key, { ...(waiting && { waiting }), ...(judged && { judged }) });
        return true;
      }
      const row = events.get(`${key} ${record}`);
      if (row === undefined || !isAsExpected(row, change)) return false;
      events.set(`${key} ${record}`, after(row, change));
      return true;
    },
    async getEventName(mode, eventName) {
      return nameState(eventNameKey(mode, eventName));
    },
  };
}

function isAsExpected(row: Judged, { expected: { outcome, waiting, judged } }: JudgementChange): boolean {
  if (outcome !== undefined && outcome !== row.outcome) return false;
  if (waiting !== undefined && waiting !== (row.waiting ?? null)) return false;
  return judged === undefined || same(judged, row.judged ?? null);
}

const same = (a: Judgement | null, b: Judgement | null): boolean =>
  (['verdict', 'by', 'at', 'reason'] as const).every((part) => a?.[part] === b?.[part]);

function after<Row extends Judged & Partial<EventRow>>(row: Row, change: JudgementChange): Row {
  const { judged, waiting, detachBody } = change;
  const { judged: _, ...unjudged } = row;
  const changed = { ...unjudged, ...(judged && { judged }), ...(waiting && { waiting }) } as Row;
  if (waiting === null) delete (changed as { waiting?: unknown }).waiting;
  if (waiting) delete (changed as { expiresAt?: unknown }).expiresAt;
  if (detachBody === undefined) return changed;
  delete (changed as { body?: unknown }).body;
  const { fact = detachBody.fact } = changed;
  return { ...changed, ...(fact && { fact }) };
}
