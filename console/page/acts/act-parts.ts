import type { ComponentChildren } from 'preact';
import type { ActState } from './act-flow.ts';
import type { ActParts } from './use-act-flow.ts';

/** What the dialog of an act shows. */
export interface ActDialogProps<Preview, Result> {
  readonly title: string;
  readonly parts: ActParts<Preview, Result>;
  /** What the operator has to choose first, such as the order. */
  readonly fields?: ComponentChildren;
  /** What is to be given before the dry run can be made. */
  readonly missing?: string;
  /** What the operator judges, such as the order as it is. */
  readonly context?: (preview: Preview) => ComponentChildren;
  readonly consequence: (preview: Preview) => string;
  readonly changes: (preview: Preview) => ComponentChildren;
  /** Why the act has nothing to do. */
  readonly unneeded: (preview: Preview) => string | undefined;
  /** Names the act and its subject. */
  readonly confirmLabel: string;
  /** What a caller without it is not allowed to do. */
  readonly permission: string;
  /** An act without an audit row has no reason. */
  readonly hasReason?: boolean;
  readonly outcome: (done: Extract<ActState<Preview, Result>, { step: 'done' }>) => Outcome;
  readonly onClose: () => void;
}

export interface Outcome {
  readonly sentence: string;
  readonly details?: ComponentChildren;
}
