import type { ActResult } from '@payhooks/order-client';
import { type ActOptions, runAct } from '../act.ts';
import { CommandError, type ExitCode } from '../command-error.ts';
import { openOperations } from '../operations.ts';
import { printable } from '../printable.ts';
import type { Session } from '../session.ts';
import { createTarget } from '../target/target.ts';
import { consequenceOf } from './consequences.ts';

interface AdmitOptions extends ActOptions {
  readonly order?: string;
  readonly bodySha256?: string;
  readonly sandbox?: true;
}

export async function admitEvent(
  session: Session,
  id: string | undefined,
  options: AdmitOptions,
): Promise<ExitCode> {
  const { order, bodySha256, sandbox } = options;
  if (id === undefined && bodySha256 === undefined) {
    const message = 'Give the id of an event, or --body-sha256 for a body that was not an event.';
    throw new CommandError('wrongUsage', message);
  }
  const operations = openOperations(await createTarget(session, options).stack());
  const subject = {
    mode: sandbox ? ('sandbox' as const) : ('live' as const),
    ...(id !== undefined && { event_id: id }),
    ...(bodySha256 !== undefined && { body_sha256: bodySha256 }),
    ...(order !== undefined && { order_id: order }),
  };
  const name = printable(id ?? `the body ${bodySha256?.slice(0, 12)}…`);
  return runAct(session, options, {
    perform: (given) => operations.admit({ ...subject, ...given }),
    consequence: (preview) =>
      `If you admit ${name}, ${consequenceOf('admit', preview)}${newOrderText(preview, order)}`,
    question: `Admit ${name}?`,
    done: `Admitted ${name}.`,
    unchanged: () => `${name} does not wait.`,
  });
}

/** A mistyped order id would be an order of its own. */
const newOrderText = ({ orders }: ActResult, named: string | undefined): string =>
  orders.some(({ order_id, before }) => order_id === named && before === null)
    ? ` ${printable(named ?? '')} is a new order, which no event has named: check its id.`
    : '';
