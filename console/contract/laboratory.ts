import type { Mode } from '@payhooks/order-client';

/*
 * What the page and the server exchange about the laboratory of local mode: types and lists of literals only,
 * because the page imports this file too.
 */

export const scenarioGroups = ['money', 'wrong input', 'faults'] as const;
export type ScenarioGroup = (typeof scenarioGroups)[number];

/** `GET /console/api/laboratory` */
export interface LaboratoryView {
  readonly scenarios: readonly ScenarioView[];
  /** The newest first. */
  readonly runs: readonly LaboratoryRun[];
}

export interface ScenarioView {
  readonly name: string;
  readonly group: ScenarioGroup;
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

/** `POST /console/api/laboratory/{scenario}` responds with it; 409 when the scenario cannot start now. */
export interface LaboratoryRun {
  readonly id: string;
  readonly scenario: string;
  readonly title: string;
  readonly started_at: string;
  /** `null` while it runs. */
  readonly ended_at: string | null;
  readonly expected: string;
  /** What was seen at the end. */
  readonly seen: string | null;
  readonly as_expected: boolean | null;
  readonly steps: readonly LaboratoryStep[];
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
