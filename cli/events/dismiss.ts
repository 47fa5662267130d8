import { openOperations } from '../../operator/operations.ts';
import { CommandError, type ExitCode } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import { consequenceOf } from '../../operator/sentences/waiting-sentences.ts';
import { type ActOptions, runAct } from '../act.ts';
import { whenSubjectIsFree } from '../busy.ts';
import type { Session } from '../session.ts';
import { createTarget } from '../target/target.ts';
import { fieldsOf, nameOf } from './subject.ts';

interface DismissOptions extends ActOptions {
  readonly name?: string;
  readonly bodySha256?: string;
  readonly sandbox?: true;
}

export async function dismissEvent(
  session: Session,
  id: string | undefined,
  options: DismissOptions,
): Promise<ExitCode> {
  const { name: eventName, bodySha256 } = options;
  const isOne = eventName === undefined ? (id ?? bodySha256) !== undefined : (id ?? bodySha256) === undefined;
  if (!isOne) {
    const message = 'Give the id of an event, --body-sha256 for a body that is not one, or --name alone.';
    throw new CommandError('wrongUsage', message);
  }
  const operations = openOperations(await createTarget(session, options).stack());
  const named = { ...options, id };
  const subject = { ...fieldsOf(named), ...(eventName !== undefined && { event_name: eventName }) };
  const name = eventName === undefined ? nameOf(named) : printable(eventName);
  return runAct(session, options, {
    perform: (given) =>
      whenSubjectIsFree({ terminal: session.terminal, subject: name }, () =>
        operations.dismiss({ ...subject, ...given }),
      ),
    consequence: (preview) => `If you dismiss ${name}, ${consequenceOf('dismiss', preview)}`,
    question: `Dismiss ${name}?`,
    done: `Dismissed ${name}.`,
    unchanged: () => `${name} does not wait.`,
  });
}
