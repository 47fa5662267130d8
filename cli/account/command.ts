import { type ExitCode, exitCodes } from '../command-error.ts';
import { addCommonOptions, type CommandSetup, examplesOf } from '../options.ts';
import { openPaymentService } from '../payment-service.ts';
import { printable } from '../printable.ts';
import type { CommonOptions, Session } from '../session.ts';
import { createTarget } from '../target/target.ts';

export function addAccount({ program, session, end }: CommandSetup): void {
  addCommonOptions(program.command('account'))
    .description('shows the payment account; proves that the credential works')
    .addHelpText('after', examplesOf('account', 'account --json'))
    .action(async (options) => end(await showAccount(session, options)));
}

async function showAccount(session: Session, options: CommonOptions): Promise<ExitCode> {
  const { terminal } = session;
  const service = await openPaymentService(session, createTarget(session, options), options);
  const account = await service.call((client) => client.currentAccount());
  if (options.json) {
    terminal.json(account);
    return exitCodes.done;
  }
  // The API document lists no fields of it, so all are shown.
  for (const [name, value] of Object.entries(account)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    terminal.print(`${printable(name, 60)}: ${printable(text, 500)}`);
  }
  return exitCodes.done;
}
