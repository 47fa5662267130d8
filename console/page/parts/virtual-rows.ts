import {
  observeWindowOffset,
  observeWindowRect,
  type VirtualItem,
  Virtualizer,
  windowScroll,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';

export interface VirtualRows {
  readonly items: readonly VirtualItem[];
  /** Of all rows together. */
  readonly height: number;
  /** Of the first row in the page: what to subtract from the start of an item. */
  readonly offset: number;
}

const overscan = 12;

/** Which of `count` rows of `size` pixels are on the screen while the page scrolls. */
export function useVirtualRows(rows: {
  readonly body: RefObject<HTMLElement>;
  readonly count: number;
  readonly size: number;
}): VirtualRows {
  const { body, count, size } = rows;
  const [, rerender] = useReducer((renders: number) => renders + 1, 0);
  const [offset, setOffset] = useState(0);
  const options = {
    count,
    overscan,
    estimateSize: () => size,
    scrollMargin: offset,
    getScrollElement: () => window,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    initialOffset: () => window.scrollY,
    onChange: () => rerender(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer<Window, HTMLElement>(options));
  virtualizer.setOptions(options);

  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, size]);
  useLayoutEffect(() => {
    // What stands above the table may grow, such as a banner.
    const place = (): void => {
      const top = body.current?.getBoundingClientRect().top;
      if (top !== undefined) setOffset(Math.round(top + window.scrollY));
    };
    place();
    const observer = new ResizeObserver(place);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [body]);

  return { items: virtualizer.getVirtualItems(), height: virtualizer.getTotalSize(), offset };
}
