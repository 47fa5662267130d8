import type { EventRecords, StoredEventRecord } from '@payhooks/order-client';
import { moneyText } from '../../contract/texts.ts';
import { visibleText } from '../parts/texts.ts';
import { reasonWords, wordFor } from '../parts/words.ts';

/** The first line of an event: what became of it, and whether a person must judge it. */
export function eventSentence({ records }: Pick<EventRecords, 'records'>): string {
  const [first] = records;
  if (first === undefined) return 'Nothing is stored under this id.';
  const waits = ({ waiting }: StoredEventRecord) => waiting !== null;
  const versions = records.slice(1).filter(({ record }) => record === 'conflict');
  const others = records.filter((record) => waits(record) && !versions.includes(record)).length;
  const parts = [
    outcomeSentence(first),
    ...(versions.length > 0 ? [versionSentence(versions, versions.some(waits))] : []),
    ...(others > 0 ? [others === 1 ? 'It waits for a person.' : `${others} bodies wait for a person.`] : []),
    ...(records.some(waits) ? [] : ['Nothing waits.']),
  ];
  return parts.join(' ');
}

function versionSentence(versions: readonly StoredEventRecord[], wait: boolean): string {
  const isOnly = versions.length === 1;
  const sums = [...new Set(versions.flatMap((version) => moneyText(version) ?? []))];
  const money = sums.length === 0 ? '' : ` (${visibleText(sums.join(', '))})`;
  const subject = isOnly ? 'A different version' : `${versions.length} different versions`;
  if (wait) return `${subject}${money} ${isOnly ? 'needs' : 'need'} your decision.`;
  return `${subject}${money} ${isOnly ? 'has' : 'have'} the same event id.`;
}

/** What became of one body. */
export function outcomeSentence({ outcome, reason, order_id, judged }: StoredEventRecord): string {
  const order = order_id === null ? 'its order' : visibleText(order_id);
  const dismissed = judged?.verdict === 'dismissed' ? ' An operator dismissed it.' : '';
  switch (outcome) {
    case 'applied':
      return `Counted in ${order}.`;
    case 'recorded':
      return 'It is recorded: it names no order and moves no money.';
    case 'unassigned':
      return `It names no order, and no payment of its transaction has named one.${dismissed}`;
    case 'conflict':
      return `A different version of an event that came before.${dismissed}`;
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
