import type { Attention, Mode } from '@payhooks/order-client';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { Subject } from './choices.ts';
import { JudgeDialog } from './judge-dialog.tsx';
import { RedriveDialog } from './redrive-dialog.tsx';
import { ReplayDialog, type ReplaySubject } from './replay-dialog.tsx';
import { ResolveDialog } from './resolve-dialog.tsx';

type Act =
  | { readonly act: 'admit' | 'dismiss'; readonly subject: Subject }
  | { readonly act: 'resolve'; readonly orderId: string; readonly mode: Mode; readonly attention: Attention }
  | { readonly act: 'replay'; readonly subject: ReplaySubject }
  | { readonly act: 'redrive' };

type OpenAct = (act: Act) => void;

const ActsContext = createContext<OpenAct>(() => undefined);

/** What a button calls to open the dialog of its act. */
export const useOpenAct = (): OpenAct => useContext(ActsContext);

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
      {opened && <ActDialogOf opened={opened} onClose={() => open(undefined)} />}
    </ActsContext.Provider>
  );
}

function ActDialogOf({ opened, onClose }: { readonly opened: Act; readonly onClose: () => void }) {
  switch (opened.act) {
    case 'admit':
    case 'dismiss':
      return <JudgeDialog act={opened.act} subject={opened.subject} onClose={onClose} />;
    case 'resolve':
      return <ResolveDialog {...opened} onClose={onClose} />;
    case 'replay':
      return <ReplayDialog subject={opened.subject} onClose={onClose} />;
    case 'redrive':
      return <RedriveDialog onClose={onClose} />;
  }
}
