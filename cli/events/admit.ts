import type { ActResult, OperationsClient } from '@payhooks/order-client';
import { openOperations } from '../../operator/operations.ts';
import { CommandError, type ExitCode } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import { consequenceOf } from '../../operator/sentences/waiting-sentences.ts';
import { type ActOptions, runAct } from '../act.ts';
import { whenSubjectIsFree } from '../busy.ts';
import type { Session } from '../session.ts';
import { createTarget } from '../target/target.ts';
import { fieldsOf, nameOf } from './subject.ts';

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
  const { order, bodySha256 } = options;
  if (id === undefined && bodySha256 === undefined) {
    const message = 'Give the id of an event, or --body-sha256 for a body that was not an event.';
    throw new CommandError('wrongUsage', message);
  }
  const operations = openOperations(await createTarget(session, options).stack());
  const named = { ...options, id };
  const subject = { ...fieldsOf(named), ...(order !== undefined && { order_id: order }) };
  const name = nameOf(named);
  return runAct(session, options, {
    perform: (given) =>
      whenSubjectIsFree({ terminal: session.terminal, subject: name }, () =>
        operations.admit({ ...subject, ...given }),
      ),
    async consequence(preview) {
      const dismissed = preview.events.some(({ before }) => before?.waiting)
        ? ''
        : await dismissalOf(operations, subject);
      const notes = `${newOrderText(preview, order)}${dismissed}`;
      return `If you admit ${name}, ${consequenceOf('admit', preview)}${notes}`;
    },
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

/** What no longer waits was dismissed: an operator who admits it overrides another one. */
async function dismissalOf(
  operations: Pick<OperationsClient, 'event'>,
  { event_id: id, body_sha256: bodySha256, mode }: ReturnType<typeof fieldsOf>,
): Promise<string> {
  if (id === undefined) return ' An operator has dismissed it.';
  const { records } = await operations.event(id, { mode });
  const judged = records
    .filter(({ body_sha256 }) => bodySha256 === undefined || body_sha256 === bodySha256)
    .find((record) => record.judged?.verdict === 'dismissed')?.judged;
  if (!judged) return '';
  const by = printable(judged.by.split('/').at(-1) ?? '');
  return ` ${by} dismissed it at ${judged.at}: "${printable(judged.reason, 512)}".`;
}
