import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { ErrorBoundary } from 'preact-iso/lazy';
import { useLocation } from 'preact-iso/router';
import { later } from '../data/later.ts';
import type { Act } from './act.ts';

const ActDialog = later('ActDialog');

const ActsContext = createContext<(act: Act) => void>(() => undefined);

/** The id of the element that describes what the buttons in it act on: two refunds may have one amount. */
export const SubjectContext = createContext<string | undefined>(undefined);

/**
 * Has the dialog of the act that a button has opened. It stands above all pages, because a button and its
 * part of a page may go away when the act is done.
 */
export function Acts({ children }: { readonly children: ComponentChildren }) {
  const [opened, open] = useState<Act | undefined>();
  const { path } = useLocation();
  useEffect(() => open(undefined), [path]);
  return (
    <ActsContext.Provider value={open}>
      {children}
      <ErrorBoundary>{opened && <ActDialog act={opened} onClose={() => open(undefined)} />}</ErrorBoundary>
    </ActsContext.Provider>
  );
}

interface ActButtonProps {
  readonly act: Act;
  readonly children: string;
}

/** Opens the dialog of an act. */
export function ActButton({ act, children }: ActButtonProps) {
  const open = useContext(ActsContext);
  const subject = useContext(SubjectContext);
  const names = { 'aria-label': act.titleOf(), 'aria-describedby': subject };
  return (
    <button type="button" class="button" {...names} onClick={() => open(act)}>
      {children}
    </button>
  );
}
