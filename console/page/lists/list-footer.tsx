import { Icon } from '../parts/icon.tsx';
import { Failure, Skeleton } from '../parts/loaded.tsx';
import { counted } from '../parts/texts.ts';
import type { UseList } from './use-list.ts';

/** Below the last row: what comes next, or why nothing does. */
export function ListFooter<Row>({ list, noun }: { readonly list: UseList<Row>; readonly noun: string }) {
  const { state, error, rows, loadMore } = list;
  const isWhole = list.waitingError === undefined && !list.hasMoreWaiting;
  if (rows.length === 0 && state === 'end') return null;
  if (state === 'failed' && error !== undefined) {
    return (
      <div class="list-footer">
        <Failure error={error} retry={loadMore} />
      </div>
    );
  }
  return (
    <div class="list-footer">
      {state === 'loading' && <Skeleton lines={rows.length === 0 ? 8 : 2} />}
      {state === 'more' && (
        <button type="button" class="button" onClick={loadMore}>
          Load more
        </button>
      )}
      {state === 'end' && (
        <p class="faint">{`${isWhole ? 'These are all: ' : ''}${counted(rows.length, noun)}.`}</p>
      )}
      {state === 'full' && (
        <p class="faint">{`${counted(rows.length, noun)} are loaded. Choose a time to see older ones.`}</p>
      )}
    </div>
  );
}

/** Shown while the list is held: what came since. */
export function NewRows<Row>({ list, noun }: { readonly list: UseList<Row>; readonly noun: string }) {
  const { newCount, showNew } = list;
  return (
    <div class="new-rows" role="status">
      {newCount > 0 && (
        <button type="button" class="new-rows-button" onClick={showNew}>
          <Icon name="up" size={14} />
          {counted(newCount, `new ${noun}`)}
        </button>
      )}
    </div>
  );
}
