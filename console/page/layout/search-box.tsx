import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { Icon } from '../parts/icon.tsx';
import { ModeTag, StatusPill } from '../parts/pills.tsx';
import { visibleText } from '../parts/texts.ts';
import type { Hit, SearchResult } from './search.ts';
import { useSearch } from './use-search.ts';

/** Finds an order, an event or a transaction by its exact id, in both modes. */
export function SearchBox() {
  const [isOpen, setOpen] = useState(false);
  const [selected, setSelected] = useState(0);
  const { route, query } = useLocation();
  // A link may bring an id.
  const [text, setText] = useState(query['q'] ?? '');
  const input = useRef<HTMLInputElement>(null);
  const focusedBefore = useRef<EventTarget | null>(null);
  const isEntered = useRef(false);
  const listId = useId();
  const id = text.trim();
  const { result, isSearching } = useSearch(id);
  const hits = result?.hits ?? [];
  useSlashKey(input);

  const close = (): void => setOpen(false);
  const leave = (): void => {
    if (focusedBefore.current instanceof HTMLElement) focusedBefore.current.focus();
    else input.current?.blur();
  };
  const go = (hit: Hit): void => {
    close();
    setText('');
    input.current?.blur();
    route(hit.href);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const hit = hits[selected];
    if (event.key === 'Escape') {
      if (text === '') leave();
      setText('');
      close();
    } else if (event.key === 'Enter') {
      // Who pastes an id presses Enter before it is found.
      if (hit === undefined) isEntered.current = isSearching;
      else go(hit);
    } else if (step !== 0 && hits.length > 0) {
      event.preventDefault();
      setSelected((selected + step + hits.length) % hits.length);
    }
  };
  useEffect(() => {
    setSelected(0);
    const [first] = hits;
    if (isEntered.current && first !== undefined) go(first);
    if (result !== undefined) isEntered.current = false;
  }, [result]);
  const isShown = isOpen && id !== '';
  return (
    <search class="search">
      <Icon name="search" />
      <input
        ref={input}
        class="search-input"
        type="text"
        role="combobox"
        aria-label="Find an order, event or transaction by its id"
        aria-expanded={isShown}
        aria-controls={listId}
        aria-activedescendant={isShown && hits.length > 0 ? `${listId}-${selected}` : undefined}
        aria-autocomplete="list"
        placeholder="Find by order, event or transaction id"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => {
          isEntered.current = false;
          setText(event.currentTarget.value);
          setOpen(true);
        }}
        onFocus={(event) => {
          focusedBefore.current = event.relatedTarget;
          setOpen(true);
        }}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      <span class="search-key">/</span>
      <div class="search-panel" hidden={!isShown}>
        <Hits listId={listId} hits={hits} selected={selected} go={go} />
        <p class="search-note" role="status">
          {isShown ? noteOf(id, result, isSearching) : ''}
        </p>
      </div>
    </search>
  );
}

const icons = { order: 'orders', event: 'events', transaction: 'transaction' } as const;

function Hits(props: {
  readonly listId: string;
  readonly hits: readonly Hit[];
  readonly selected: number;
  readonly go: (hit: Hit) => void;
}) {
  const { listId, hits, selected, go } = props;
  return (
    <div id={listId} class="search-hits" role="listbox" aria-label="Found">
      {hits.map((hit, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input, as in every combobox.
        // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys.
        <div
          key={hit.href}
          id={`${listId}-${index}`}
          class="search-hit"
          role="option"
          aria-selected={index === selected}
          // Before the input loses its focus, which closes the list.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => go(hit)}
        >
          <Icon name={icons[hit.kind]} />
          <span class="search-hit-words">{hit.words}</span>
          {hit.status !== undefined && <StatusPill status={hit.status} />}
          <ModeTag mode={hit.mode} />
        </div>
      ))}
    </div>
  );
}

function noteOf(id: string, result: SearchResult | undefined, isSearching: boolean): string {
  if (result === undefined) return isSearching ? 'Searching live and sandbox…' : '';
  const problems = result.problems.join(' ');
  if (result.hits.length > 0) return problems;
  const nothing = `Nothing has exactly the id "${visibleText(id)}", in live or sandbox mode.`;
  return problems === '' ? nothing : problems;
}

/** `/` puts the focus into the search, unless the reader is typing or a dialog is open. */
function useSlashKey(input: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { target } = event;
      const isTyping = target instanceof HTMLElement && target.matches('input, textarea, select');
      const isElsewhere = isTyping || document.querySelector('dialog[open]') !== null;
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isElsewhere) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [input]);
}
