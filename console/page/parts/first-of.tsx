import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { counted } from './texts.ts';

interface FirstOfProps<Item> {
  readonly items: readonly Item[];
  /** Of an item, such as `transaction`. */
  readonly noun: string;
  /** An element `li`. */
  readonly children: (item: Item, place: number) => VNode;
}

const firstMax = 8;

/** The first of many items; the rest on request. */
export function FirstOf<Item>({ items, noun, children }: FirstOfProps<Item>) {
  const [isWhole, setWhole] = useState(false);
  const rest = isWhole ? 0 : items.length - firstMax;
  return (
    <>
      <ul class="items">{(rest > 0 ? items.slice(0, firstMax) : items).map(children)}</ul>
      {rest > 0 && (
        <button type="button" class="button" onClick={() => setWhole(true)}>
          Show {counted(rest, `more ${noun}`)}
        </button>
      )}
    </>
  );
}
