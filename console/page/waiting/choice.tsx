import type { Mode, WaitingItem, WaitingKind } from '@payhooks/order-client';
import { useState } from 'preact/hooks';
import { aloneReason, bulkEventsMax } from '../../contract/texts.ts';
import { ActButton } from '../acts/acts.tsx';
import { bulk } from '../acts/operations.ts';
import { counted, printableId } from '../parts/texts.ts';

interface ChoiceOf {
  readonly kind: WaitingKind;
  readonly mode: Mode;
  readonly count: number;
}

const labels = { admit: 'Apply', dismiss: 'Dismiss' } as const;
const keyOf = ({ event_id, body_sha256 }: WaitingItem): string => JSON.stringify([event_id, body_sha256]);

/** Chooses several rows of a kind, or all that wait as it; nothing where each is judged alone. */
export function useChoice({ kind, mode, count }: ChoiceOf, items: readonly WaitingItem[]) {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const [isAll, setAll] = useState(false);
  const acts = (['admit', 'dismiss'] as const).filter((act) => aloneReason(act, kind) === undefined);
  if (acts.length === 0 || count < 2) return { bar: null, boxOf: () => null };
  const chosen = items.filter((item) => keys.has(keyOf(item)));
  const toggle = (key: string): void => {
    const others = new Set(keys);
    if (!others.delete(key)) others.add(key);
    setKeys(others);
  };
  const all = Math.min(count, bulkEventsMax);
  const number = isAll ? all : chosen.length;
  return {
    bar: (
      <div class="row">
        <label class="row">
          <input type="checkbox" class="choice" checked={isAll} onChange={() => setAll(!isAll)} />
          {count > all ? 'The first' : 'All'} {counted(all, 'event')}
        </label>
        {number > 0 &&
          acts.map((act) => (
            <ActButton
              key={act}
              act={bulk(act, { mode, kind, count: number, items: isAll ? undefined : chosen })}
            >
              {`${labels[act]} ${counted(number, 'event')}`}
            </ActButton>
          ))}
      </div>
    ),
    boxOf: (item: WaitingItem) => (
      <input
        type="checkbox"
        class="choice"
        aria-label={`Choose ${printableId(item.event_id ?? item.body_sha256 ?? '')}`}
        checked={isAll || keys.has(keyOf(item))}
        disabled={isAll}
        onChange={() => toggle(keyOf(item))}
      />
    ),
  };
}
