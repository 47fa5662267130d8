import { CommandError, type ExitCode } from '../../operator/operator-error.ts';
import { type ActOptions, addActOptions } from '../acts/options.ts';
import { runAct } from '../acts/run-act.ts';
import { type CommandSetup, chosenMode, defined, examplesOf, sha256 } from '../options.ts';
import type { Session } from '../session.ts';

interface EraseOptions extends ActOptions {
  readonly event?: string;
  readonly order?: string;
  readonly bodySha256?: string;
  readonly resume?: string;
}

export function define({ command, action }: CommandSetup): void {
  addActOptions(
    command
      .option('--event <id>', 'the bodies under this event id')
      .option('--order <id>', 'the bodies of all events of this order')
      .option('--body-sha256 <hash>', 'a body that is not an event', sha256)
      .option('--resume <cursor>', 'go on where an interrupted run ended'),
  )
    .addHelpText(
      'after',
      `
Amounts, hash, signature and event id stay: no order changes, and a later delivery does not store the body
again. It cannot be undone, except from a backup. Admit or dismiss first what waits.
Needs execute-api:Invoke on the output OperationsInvokeArn.
${examplesOf('erase --order order-1001 --dry-run', 'erase --event ID --reason "request of the customer"')}`,
    )
    .action(action(eraseBodies));
}

async function eraseBodies(session: Session, options: EraseOptions): Promise<ExitCode> {
  const { event, order, bodySha256 } = options;
  if ([event, order, bodySha256].filter((given) => given !== undefined).length !== 1)
    throw new CommandError('wrongUsage', 'Give one of --event, --order and --body-sha256.');
  const named = defined({ event_id: event, order_id: order, body_sha256: bodySha256 });
  return runAct(session, options, { act: 'erase', mode: chosenMode(options), ...named });
}
