import { CommandError } from '../../operator/operator-error.ts';
import { addRunOptions } from '../acts/options.ts';
import { type ReplayOptions, replayEvents } from '../acts/replay.ts';
import { type CommandSetup, examplesOf, instant } from '../options.ts';

export function define({ command, action }: CommandSetup): void {
  addRunOptions(
    command
      .option('--event <id>', 'this event')
      .option('--order <id>', 'the events of this order')
      .option('--since <time>', 'events that were recorded at this time or later', instant)
      .option('--until <time>', 'events that were recorded at this time or earlier', instant)
      .option('--publish', 'publish the orders on the feed again, also where they stay the same'),
  )
    .addHelpText(
      'after',
      `
Reads stored bodies again as the deployed version reads them, with the meanings of the setting eventMeanings:
every order gets what they say now, and loses what none says any more. What operators judged stays. First it
shows every order that would change; it may be interrupted and repeated at any time. An event that arrived
less than a minute ago is waited for.
Needs execute-api:Invoke on the output OperationsInvokeArn.
${examplesOf('replay --order order-1001', 'replay --since 2026-11-20T00:00:00Z --rate 50 --dry-run')}`,
    )
    .action(
      action(async (session, options: ReplayOptions) => {
        const { event, order, since = options.until } = options;
        if ([event, order, since].filter((given) => given !== undefined).length === 1)
          return replayEvents(session, options);
        throw new CommandError('wrongUsage', 'Give one of --event, --order, and --since or --until.');
      }),
    );
}
