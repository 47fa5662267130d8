import { Option } from 'commander';
import type { ExitCode } from '../../operator/operator-error.ts';
import { chosenMode, defined } from '../options.ts';
import type { Session } from '../session.ts';
import type { RunOptions } from './options.ts';
import { runAct } from './run-act.ts';

export interface ReplayOptions extends RunOptions {
  readonly event?: string;
  readonly order?: string;
  readonly since?: string;
  readonly until?: string;
  readonly publish?: true;
}

export const publishOption = () =>
  new Option('--publish', 'publish the orders on the feed again, also where they stay the same');

export const whatReplayDoes = `
Reads stored bodies again as the deployed version reads them, with the meanings of the setting eventMeanings:
every order gets what they say now, and loses what none says any more. What operators judged stays. First it
shows every order that would change; it may be interrupted and repeated at any time. An event that arrived
less than a minute ago is waited for.
Needs execute-api:Invoke on the output OperationsInvokeArn.
`;

/** Shows what a replay would change, asks, and replays. */
export function replayEvents(
  session: Session,
  options: ReplayOptions,
  readings?: 'stored',
): Promise<ExitCode> {
  const { event, order, since, until, publish } = options;
  const named = defined({ event_id: event, order_id: order, since, until, publish, readings });
  return runAct(session, options, { act: 'replay', mode: chosenMode(options), ...named });
}
