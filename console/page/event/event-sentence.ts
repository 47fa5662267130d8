import type { EventRecords, StoredEventRecord } from '@payhooks/order-client';
import { visibleText } from '../parts/texts.ts';
import { reasonWords, wordFor } from '../parts/words.ts';

/** The first line of an event: what became of it, and whether a person must judge it. */
export function eventSentence({ records }: Pick<EventRecords, 'records'>): string {
  const [first, ...others] = records;
  if (first === undefined) return 'Nothing is stored under this id.';
  const waiting = records.filter(({ waiting: kind }) => kind !== null).length;
  const conflicts = others.filter(({ record }) => record === 'conflict').length;
  const parts = [
    outcomeSentence(first),
    ...(conflicts > 0
      ? [`${bodies(conflicts)} under the same id ${conflicts === 1 ? 'says' : 'say'} something else.`]
      : []),
    waiting === 0
      ? 'Nothing waits.'
      : waiting === 1
        ? 'It waits for a person.'
        : `${waiting} bodies wait for a person.`,
  ];
  return parts.join(' ');
}

const bodies = (count: number): string => (count === 1 ? 'Another body' : `${count} other bodies`);

/** What became of one body. */
export function outcomeSentence({ outcome, reason, order_id, judged }: StoredEventRecord): string {
  const order = order_id === null ? 'its order' : visibleText(order_id);
  const dismissed = judged?.verdict === 'dismissed' ? ' An operator dismissed it.' : '';
  switch (outcome) {
    case 'applied':
      return `It counts in ${order}.`;
    case 'recorded':
      return 'It is recorded: it names no order and moves no money.';
    case 'unassigned':
      return `It names no order, and no payment of its transaction has named one.${dismissed}`;
    case 'conflict':
      return `Another body has the same event id and says something else.${dismissed}`;
    case 'quarantined': {
      const why = reason === null ? '' : `: ${wordFor(reasonWords, reason).toLowerCase()}`;
      return `It was not applied${why}.${dismissed}`;
    }
    case 'unrecognised':
      return `It is signed, and is not an event.${dismissed}`;
    case 'unsealed':
      return `Our verifier did not send it, so nothing in it counts.${dismissed}`;
    default:
      return 'It is stored.';
  }
}
