import { CommandError, type ExitCode } from '../../operator/operator-error.ts';
import { type ActOptions, runAct } from '../acts/run-act.ts';
import { chosenMode } from '../mode.ts';
import type { Session } from '../session.ts';
import { createTarget } from '../target/target.ts';

interface JudgeOptions extends ActOptions {
  readonly bodySha256?: string;
}

/** The fields of a request that name an event, one body of it, or a body that is no event. */
const subjectOf = (id: string | undefined, { bodySha256, sandbox }: JudgeOptions) => ({
  mode: chosenMode({ sandbox }),
  ...(id !== undefined && { event_id: id }),
  ...(bodySha256 !== undefined && { body_sha256: bodySha256 }),
});

export async function admitEvent(
  session: Session,
  id: string | undefined,
  options: JudgeOptions & { readonly order?: string },
): Promise<ExitCode> {
  const { order, bodySha256 } = options;
  if (id === undefined && bodySha256 === undefined) {
    const message = 'Give the id of an event, or --body-sha256 for a body that was not an event.';
    throw new CommandError('wrongUsage', message);
  }
  const named = order === undefined ? {} : { order_id: order };
  const stack = await createTarget(session, options).stack();
  return runAct(session, options, { stack, request: { act: 'admit', ...subjectOf(id, options), ...named } });
}

export async function dismissEvent(
  session: Session,
  id: string | undefined,
  options: JudgeOptions & { readonly name?: string },
): Promise<ExitCode> {
  const { name, bodySha256 } = options;
  if ((name === undefined) === (id === undefined && bodySha256 === undefined)) {
    const message = 'Give the id of an event, --body-sha256 for a body that is not one, or --name alone.';
    throw new CommandError('wrongUsage', message);
  }
  const named = name === undefined ? {} : { event_name: name };
  const stack = await createTarget(session, options).stack();
  return runAct(session, options, {
    stack,
    request: { act: 'dismiss', ...subjectOf(id, options), ...named },
  });
}
