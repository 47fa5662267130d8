import type { Attention, Mode } from '@payhooks/order-client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Subject } from './choices.ts';
import { JudgeDialog } from './judge-dialog.tsx';
import { RedriveDialog } from './redrive-dialog.tsx';
import { ReplayDialog, type ReplaySubject } from './replay-dialog.tsx';
import { ResolveDialog } from './resolve-dialog.tsx';

export type Act =
  | { readonly act: 'admit' | 'dismiss'; readonly subject: Subject }
  | { readonly act: 'resolve'; readonly orderId: string; readonly mode: Mode; readonly attention: Attention }
  | { readonly act: 'replay'; readonly subject: ReplaySubject }
  | { readonly act: 'redrive' };

export type OpenAct = (act: Act) => void;

/**
 * The dialog of the act that a button of the page has opened. It belongs to the page and not to the row of
 * the button, which may go away when the act is done.
 */
export function useActs(): { readonly open: OpenAct; readonly dialog: ComponentChildren } {
  const [opened, open] = useState<Act | undefined>();
  return { open, dialog: opened && <ActDialogOf opened={opened} onClose={() => open(undefined)} /> };
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
