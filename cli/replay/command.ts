import { Option } from 'commander';
import { readInstant } from '../../lambdas/http-api/instant.ts';
import { CommandError } from '../../operator/operator-error.ts';
import { type CommandSetup, examplesOf, expecting } from '../options.ts';
import { replayEvents } from './replay.ts';
import { addRunOptions, type ReplayOptions } from './run-options.ts';

const time = expecting('ISO 8601 with a zone, such as 2026-12-01T00:00:00Z', readInstant);
const publishOption = () =>
  new Option('--publish', 'publish the orders on the feed again, also where they stay the same');

const whatItDoes = `
Reads stored bodies again as the deployed version reads them, with the meanings of the setting eventMeanings:
every order gets what they say now, and loses what none says any more. What operators judged stays. First it
shows every order that would change; it may be interrupted and repeated at any time. An event that arrived
less than a minute ago is waited for.
Needs execute-api:Invoke on the output OperationsInvokeArn.
`;

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
      whatItDoes +
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

  const events = program.commands.find((command) => command.name() === 'events');
  if (events === undefined) return;
  addRunOptions(
    events
      .command('replay <id>')
      .description('Read the stored bodies of an event again (asks first)')
      .addOption(publishOption()),
  )
    .addHelpText('after', whatItDoes + examplesOf('events replay ID', 'events replay ID --dry-run'))
    .action(
      action((session, id: string, options: ReplayOptions) =>
        replayEvents(session, { ...options, event: id }),
      ),
    );
}
