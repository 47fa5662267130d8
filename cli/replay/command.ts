import { CommandError, type ExitCode } from '../../operator/operator-error.ts';
import { addRunOptions, type RunOptions } from '../acts/options.ts';
import { runAct } from '../acts/run-act.ts';
import { type CommandSetup, chosenMode, defined, examplesOf } from '../options.ts';
import type { Session } from '../session.ts';
import { pastInstant } from '../times.ts';

interface ReplayOptions extends RunOptions {
  readonly event?: string;
  readonly order?: string;
  readonly since?: string;
  readonly until?: string;
  readonly publish?: true;
}

export function define({ command, action }: CommandSetup): void {
  addRunOptions(
    command
      .option('--event <id>', 'this event')
      .option('--order <id>', 'the events of this order')
      .option('--since <time>', 'events that were recorded at this time or later', pastInstant)
      .option('--until <time>', 'events that were recorded at this time or earlier', pastInstant)
      .option('--publish', 'publish the orders on the feed again, also where they stay the same'),
  )
    .addHelpText(
      'after',
      `
Reads stored bodies again, with the deployed version and its setting eventMeanings, and updates the orders.
What operators judged stays. First it shows every order that would change; it may be interrupted and repeated
at any time. It waits for an event that arrived less than a minute ago.
Needs execute-api:Invoke on the output OperationsInvokeArn.
${examplesOf('replay --order order-1001', 'replay --since 2026-11-20T00:00:00Z --rate 50 --dry-run')}`,
    )
    .action(action(replayEvents));
}

async function replayEvents(session: Session, options: ReplayOptions): Promise<ExitCode> {
  const { event, order, since, until, publish } = options;
  if ([event, order, since ?? until].filter((given) => given !== undefined).length !== 1)
    throw new CommandError('wrongUsage', 'Give one of --event, --order, and --since or --until.');
  const named = defined({ event_id: event, order_id: order, since, until, publish });
  return runAct(session, options, { act: 'replay', mode: chosenMode(options), ...named });
}
