import { addRunOptions, type RunOptions } from '../acts/options.ts';
import { replayEvents } from '../acts/replay.ts';
import { type CommandSetup, examplesOf } from '../options.ts';
import { verifyOrders } from './verify.ts';

interface RebuildOptions extends RunOptions {
  readonly verify?: true;
}

export function define({ command, action }: CommandSetup): void {
  addRunOptions(
    command.option(
      '--verify',
      'only compare every order and row with the stored readings; exit code 1 if any differ',
    ),
  )
    .addHelpText(
      'after',
      `
Orders and rows become what the stored readings and judgements make of them. No body is read again: a new
version, or a new meaning of an event name, takes effect with payhooks replay. It reads both tables as a
whole: about one read unit for each event and each 4 KB. --verify changes nothing and asks nothing.
Needs execute-api:Invoke on the output OperationsInvokeArn.
${examplesOf('rebuild --verify', 'rebuild --rate 50 --reason "after a restore"')}`,
    )
    .action(
      action((session, options: RebuildOptions) =>
        options.verify ? verifyOrders(session, options) : replayEvents(session, options, 'stored'),
      ),
    );
}
