import type { EraseResult } from '@payhooks/order-client';
import { Option } from 'commander';
import { openOperations } from '../../operator/operations.ts';
import { CommandError, type ExitCode } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import { type ActOptions, addActOptions, runAct } from '../act.ts';
import { chosenMode } from '../mode.ts';
import { type CommandSetup, examplesOf, expecting } from '../options.ts';
import { interruptible, requestPages } from '../pages.ts';
import type { Session } from '../session.ts';
import { createTarget } from '../target/target.ts';

interface EraseOptions extends ActOptions {
  readonly event?: string;
  readonly order?: string;
  readonly bodySha256?: string;
  readonly sandbox?: true;
  readonly resume?: string;
}

const sha256 = expecting('a SHA-256 in 64 lowercase hexadecimal digits', (given) =>
  /^[0-9a-f]{64}$/.test(given) ? given : undefined,
);

export function addErase({ program, action }: CommandSetup): void {
  addActOptions(
    program
      .command('erase')
      .description('Erase the bodies of events, and with them the customer data (asks first)')
      .option('--event <id>', 'the bodies under this event id')
      .option('--order <id>', 'the bodies of all events of this order')
      .option('--body-sha256 <hash>', 'a body that is not an event', sha256)
      .option('--resume <cursor>', 'go on where an interrupted run ended')
      .addOption(new Option('--sandbox', 'in the sandbox instead of live')),
  )
    .addHelpText(
      'after',
      `
The facts stay, so that no order changes; so do hash, signature and the lock on the event id, and a later
delivery does not store the body again. It cannot be undone, except from a backup. What waits for a person is
judged first. Needs execute-api:Invoke on the output OperationsInvokeArn.
${examplesOf('erase --order order-1001 --dry-run', 'erase --event ID --reason "request of the customer"')}`,
    )
    .action(action(eraseBodies));
}

function eraseBodies(session: Session, options: EraseOptions): Promise<ExitCode> {
  const { event, order, bodySha256 } = options;
  const [id, ...others] = [event, order, bodySha256].filter((given) => given !== undefined);
  if (id === undefined || others.length > 0)
    throw new CommandError('wrongUsage', 'Give one of --event, --order and --body-sha256.');
  const subject = order === undefined ? (event === undefined ? 'body' : 'event') : 'order';
  return interruptible(session, async (stop) => {
    const operations = openOperations(await createTarget(session, options).stack());
    return runAct(session, options, {
      async perform({ dry_run, reason }) {
        const pages = await requestPages(session, stop, {
          request: ({ cursor }) =>
            operations.erase({
              mode: chosenMode(options),
              dry_run,
              ...(reason !== undefined && { reason }),
              ...(event !== undefined && { event_id: event }),
              ...(order !== undefined && { order_id: order }),
              ...(bodySha256 !== undefined && { body_sha256: bodySha256 }),
              ...(cursor !== undefined && { cursor }),
            }),
          cursor: options.resume,
          handled: ({ erased }) => erased.length,
          doing: 'Erasing',
          subject: id,
          isPreview: dry_run,
        });
        const whole = wholeOf(pages);
        if (!dry_run && !options.json)
          session.terminal.print('What an erasure does not reach: docs/data.md#erasure');
        return whole;
      },
      consequence: ({ erased }) => {
        const bytes = erased.reduce((sum, one) => sum + one.bytes, 0);
        const bodies = erased.length === 1 ? '1 body' : `${erased.length} bodies`;
        return `${bodies} of ${bytes} bytes in all would go for good; facts, hash and lock stay.`;
      },
      question: `Erase ${subject === 'body' ? 'the body' : `the bodies of the ${subject}`} ${printable(id)}?`,
      done: 'Erased.',
      unchanged: () => 'no body is stored.',
    });
  });
}

function wholeOf(pages: readonly EraseResult[]): Omit<EraseResult, 'next_cursor'> {
  const [first] = pages;
  if (first === undefined) throw new TypeError('A run has at least one page.');
  const { next_cursor: _, ...whole } = first;
  return {
    ...whole,
    changed: pages.some(({ changed }) => changed),
    events: pages.flatMap(({ events }) => events),
    orders: pages.flatMap(({ orders }) => orders),
    erased: pages.flatMap(({ erased }) => erased),
  };
}
