import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useMode } from '../data/address.ts';
import { href } from '../data/href.ts';
import { Icon } from '../parts/icon.tsx';

/** Takes the exact id of an order, an event or a transaction to the page that finds it. */
export function SearchBox() {
  const { route } = useLocation();
  const mode = useMode();
  const input = useRef<HTMLInputElement>(null);
  const focusedBefore = useRef<EventTarget | null>(null);
  useSlashKey(input);
  const submit = (event: Event): void => {
    event.preventDefault();
    const id = input.current?.value.trim() ?? '';
    if (id !== '') route(href.search(id, mode));
  };
  const leave = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    if (input.current !== null) input.current.value = '';
    if (focusedBefore.current instanceof HTMLElement) focusedBefore.current.focus();
    else input.current?.blur();
  };
  return (
    <search class="search">
      <form onSubmit={submit}>
        <Icon name="search" />
        <input
          ref={input}
          class="input"
          type="text"
          aria-label="Find an order, event or transaction by its id"
          placeholder="Find by order, event or transaction id"
          autocomplete="off"
          spellcheck={false}
          onFocus={(event) => {
            focusedBefore.current = event.relatedTarget;
          }}
          onKeyDown={leave}
        />
      </form>
    </search>
  );
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
      input.current?.select();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [input]);
}
