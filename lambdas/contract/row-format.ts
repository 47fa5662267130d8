import { optionalFlag, variables } from './environment.ts';

/** How rows are written. Every version from 0.3.0 on reads both forms, and rows that have some of each. */
export interface RowFormat {
  /** The compact form (ADR 20), which 0.2.0 cannot read; without it the form of 0.2.0. */
  readonly compact: boolean;
}

export const asIn020: RowFormat = { compact: false };

/** What the stack is set to. */
export const readRowFormat = (): RowFormat => ({ compact: optionalFlag(variables.compactRows) });
