import { type CommandSetup, examplesOf } from '../options.ts';
import { replayEvents } from '../replay/replay.ts';
import { addRunOptions, type RunOptions } from '../replay/run-options.ts';
import { verifyOrders } from './verify.ts';

interface RebuildOptions extends RunOptions {
  readonly verify?: true;
}

export function addRebuild({ program, action }: CommandSetup): void {
  addRunOptions(
    program
      .command('rebuild')
      .description('Replay every event, such as after a release that reads bodies better (asks first)')
      .option('--verify', 'only compare every order with its events; exit code 1 if any differ'),
  )
    .addHelpText(
      'after',
      `
It reads both tables as a whole: about one read unit for each event and each 4 KB. --verify changes nothing
and asks nothing. Needs execute-api:Invoke on the output OperationsInvokeArn.
${examplesOf('rebuild --verify', 'rebuild --rate 50 --reason "release 0.3.0"')}`,
    )
    .action(
      action((session, options: RebuildOptions) =>
        options.verify ? verifyOrders(session, options) : replayEvents(session, options),
      ),
    );
}
