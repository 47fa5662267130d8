import type { Mode } from '@payhooks/order-client';

/*
 * What the page and the server exchange about the laboratory of local mode: types and lists of literals only,
 * because the page imports this file too.
 */

export const experimentGroups = ['money', 'wrong input', 'faults'] as const;
export type ExperimentGroup = (typeof experimentGroups)[number];

export const experimentNames = [
  ...(['paid', 'partial-refund', 'refund', 'duplicate', 'refund-first', 'double-charge', 'sandbox'] as const),
  ...(['conflict', 'refund-without-order', 'forged', 'mislabelled', 'malformed'] as const),
  ...(['burst', 'broken-database', 'stopped-consumer', 'key-rotation'] as const),
] as const;
export type ExperimentName = (typeof experimentNames)[number];

/** `GET /console/api/laboratory` */
export interface LaboratoryView {
  readonly experiments: readonly ExperimentView[];
  readonly faults: readonly LaboratoryFault[];
  /** The newest first. */
  readonly runs: readonly LaboratoryRun[];
}

export interface ExperimentView {
  readonly name: ExperimentName;
  readonly group: ExperimentGroup;
  readonly title: string;
  /** What a run does. */
  readonly does: string;
  /** The right end. */
  readonly expected: string;
  /** What the pipeline guarantees, in one sentence. */
  readonly guarantee: string;
  /** The alarm that a run fires when all is well. */
  readonly alarm: string | null;
  /** Why it cannot start now; `null` when it can. */
  readonly refusal: string | null;
}

/** A fault that is on. It ends by itself. */
export interface LaboratoryFault {
  readonly experiment: ExperimentName;
  readonly title: string;
  /** ISO 8601. */
  readonly ends_at: string;
}

/** `POST /console/api/laboratory/{experiment}` responds with it; 409 when the experiment cannot start now. */
export interface LaboratoryRun {
  readonly id: string;
  readonly experiment: ExperimentName;
  readonly title: string;
  readonly started_at: string;
  /** `null` while it runs. */
  readonly ended_at: string | null;
  readonly expected: string;
  /** What was seen at the end. */
  readonly seen: string | null;
  readonly as_expected: boolean | null;
  /** Of a run that sends many webhooks. */
  readonly progress: LaboratoryProgress | null;
  readonly steps: readonly LaboratoryStep[];
}

export interface LaboratoryProgress {
  readonly total: number;
  readonly sent: number;
  /** With 2xx. */
  readonly acknowledged: number;
  readonly recorded: number;
}

/** `seen`: the order query, the operations API or a queue showed it. */
export interface LaboratoryStep {
  readonly at: string;
  readonly kind: 'sent' | 'recorded' | 'fault' | 'seen';
  readonly text: string;
  readonly link: LaboratoryLink | null;
}

/** A page of the console. `id` is empty for the list of what waits. */
export interface LaboratoryLink {
  readonly page: 'order' | 'event' | 'waiting';
  readonly id: string;
  readonly mode: Mode;
}
