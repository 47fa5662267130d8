import { readInstant } from '../../lambdas/http-api/instant.ts';
import { CommandError } from '../../operator/operator-error.ts';
import { addRunOptions } from '../acts/pages.ts';
import { publishOption, type ReplayOptions, replayEvents, whatReplayDoes } from '../acts/replay.ts';
import { type CommandSetup, examplesOf, expecting } from '../options.ts';

const time = expecting('ISO 8601 with a zone, such as 2026-12-01T00:00:00Z', readInstant);
export function addReplay({ program, action }: CommandSetup): void {
  addRunOptions(
    program
      .command('replay')
      .description('Read stored bodies again: of one event, of an order, or of a time (asks first)')
      .option('--event <id>', 'this event')
      .option('--order <id>', 'the events of this order')
      .option('--since <time>', 'events that were recorded at this time or later', time)
      .option('--until <time>', 'events that were recorded at this time or earlier', time)
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
