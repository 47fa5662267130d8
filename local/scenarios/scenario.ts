import type { AlarmName } from '../../lambdas/contract/alarm-guide.ts';
import type { Stage } from './stage.ts';

/** Payments as they should be, or something that goes wrong: how it begins, and how it ends. */
export interface Scenario {
  /** In addresses and on the command line. */
  readonly name: string;
  /** What happens, as a clause. */
  readonly title: string;
  /** The alarm that fires. Each scenario that has one is a drill. */
  readonly alarm: AlarmName | null;
  /** How long it must last until the alarm fires: too long for the page. */
  readonly minutes?: number;
  /** In how many at a time they pass in a drill. */
  readonly minutesPerStep?: number;
  /** Without these texts it is a drill only: it lasts for hours, or only an operator can end it. */
  readonly page?: PageTexts;
  /** Sends, breaks and watches. Rejects with an AssertionError, a sentence about what was seen instead. */
  begin(stage: Stage): Promise<Ending>;
}

export type PageScenario = Scenario & { readonly page: PageTexts };

export const isOnPage = (scenario: Scenario): scenario is PageScenario => scenario.page !== undefined;

export interface PageTexts {
  readonly group: 'money' | 'wrong input' | 'faults';
  readonly does: string;
  readonly expected: string;
  /** What the pipeline guarantees, in one sentence. */
  readonly guarantee: string;
}

export interface Ending {
  /** In a drill, what the operator does once `payhooks status` names the alarm; by default, faults end. */
  repair?(operator: Operator): Promise<unknown>;
  /** Rejects unless everything is as it should be without faults. */
  end?(): Promise<unknown>;
}

/** The person who repairs. */
export interface Operator {
  /**
   * Types the command that begins like this, as it stands in the alarm's section of the runbook or in another
   * one, with values in place of its placeholders. Resolves with its output.
   */
  follow(
    command: string,
    typing?: Typing & { readonly section?: string; readonly values?: Texts },
  ): Promise<string>;
  type(command: string, typing?: Typing): Promise<string>;
  say(line: string): void;
  endFaults(): Promise<void>;
  /** Deploys the stack again with further settings, over the same queues, tables and secrets. */
  redeploy(settings: Texts): Promise<void>;
}

export type Texts = Readonly<Record<string, string>>;

export interface Typing {
  /** 0 by default. */
  readonly exitCode?: number;
  /** Variables that the operator has exported. */
  readonly env?: Texts;
  /** What the operator types at a prompt, such as the reason for an act. */
  readonly line?: string;
  /** What the command reads from standard input or from a prompt that does not show it. */
  readonly secret?: string;
}
