import { CommandError } from '../../operator/operator-error.ts';
import { addRunOptions } from '../acts/options.ts';
import { publishOption, type ReplayOptions, replayEvents, whatReplayDoes } from '../acts/replay.ts';
import { type CommandSetup, examplesOf, instant } from '../options.ts';

export function define({ command, action }: CommandSetup): void {
  addRunOptions(
    command
      .option('--event <id>', 'this event')
      .option('--order <id>', 'the events of this order')
      .option('--since <time>', 'events that were recorded at this time or later', instant)
      .option('--until <time>', 'events that were recorded at this time or earlier', instant)
      .addOption(publishOption()),
  )
    .addHelpText(
      'after',
      whatReplayDoes +
        examplesOf('replay --order order-1001', 'replay --since 2026-11-20T00:00:00Z --rate 50 --dry-run'),
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
