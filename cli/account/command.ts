import type { ExitCode } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import { type CommandSetup, examplesOf } from '../options.ts';
import { openPaymentService } from '../payment-service.ts';
import { type CommonOptions, type Session, show } from '../session.ts';

export function define({ command, action }: CommandSetup): void {
  command.addHelpText('after', examplesOf('account', 'account --json')).action(action(showAccount));
}

async function showAccount(session: Session, options: CommonOptions): Promise<ExitCode> {
  const { terminal } = session;
  const service = await openPaymentService(session, options);
  const account = await service.call((client) => client.currentAccount());
  return show(session, options, {
    document: account,
    print() {
      // The API document does not list the fields of an account, so this prints all of them.
      for (const [name, value] of Object.entries(account)) {
        const text = typeof value === 'string' ? value : JSON.stringify(value);
        terminal.print(`${printable(name, 60)}: ${printable(text, 500)}`);
      }
    },
  });
}
