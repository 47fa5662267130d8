import type { Mode } from '@payhooks/order-client';
import { Code } from '../parts/code.tsx';
import { eraseCommand } from './commands.ts';
import { useCommand } from './use-command.ts';

interface EraseCommandProps {
  readonly subject: { readonly eventId: string } | { readonly orderId: string };
  readonly mode: Mode;
}

/** Bodies are erased by the command alone, because nothing brings them back. */
export function EraseCommand({ subject, mode }: EraseCommandProps) {
  const command = useCommand();
  return (
    <details class="erase">
      <summary>Erase the customer data</summary>
      <p>
        This command removes the stored bodies for good, after a confirmation. The facts stay, so that no
        order changes; what waits for a person is judged first.
      </p>
      <Code text={command(eraseCommand(subject, mode))} label="the command that erases the bodies" />
    </details>
  );
}
