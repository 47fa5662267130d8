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
