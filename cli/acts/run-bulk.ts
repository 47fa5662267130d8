import { type OperationsClient, ProblemError } from '@payhooks/order-client';
import { bulkEventsMax, waitingListMax } from '../../lambdas/contract/operations-limits.ts';
import { type Act, confirmAct, planAct, type Wait } from '../../operator/acts/act.ts';
import { type BulkPerformer, createBulk } from '../../operator/acts/bulk.ts';
import { notDone, summaryOf } from '../../operator/acts/bulk-summary.ts';
import type { BulkItem, BulkRequest } from '../../operator/acts/documents.ts';
import { judge } from '../../operator/acts/judge.ts';
import { openOperations } from '../../operator/apis.ts';
import { explainError } from '../../operator/explain-error.ts';
import { readEntries } from '../../operator/keys.ts';
import { type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { shellQuoted } from '../../operator/shell-quoted.ts';
import { chosenMode } from '../options.ts';
import { readList } from '../read-list.ts';
import type { Session } from '../session.ts';
import { InterruptedError } from '../stop-signal.ts';
import type { ActOptions } from './options.ts';
import { interruptible, waitFor } from './pages.ts';
import { planAndPerform } from './run-act.ts';

/** The events with these ids, or all that wait and match. */
export interface Chosen {
  readonly ids?: readonly string[];
  readonly filters?: Omit<NonNullable<Parameters<OperationsClient['waiting']>[0]>, 'mode' | 'cursor'>;
}

/** Judges many events for one reason, after one preview. */
export async function runBulk(
  session: Session,
  options: ActOptions,
  act: BulkRequest['act'],
  chosen: Chosen,
): Promise<ExitCode> {
  const { terminal, env, argv } = session;
  const stack = await session.stack(options);
  const mode = chosenMode(options);
  const operations = openOperations(stack);
  return interruptible(session, async ({ signal, exitCode }) => {
    let hasBegun = false;
    const throwIfStopped = (): void => {
      const state = hasBegun ? '.' : ' while reading; nothing was done.';
      if (signal.aborted) throw new InterruptedError(`Stopped${state}`);
    };
    const wait: Wait = async (seconds, subject) => {
      await waitFor(terminal, signal)(seconds, subject);
      throwIfStopped();
    };
    const singleActs = singleActsOf(env, (request) =>
      judge(operations, request, { wait, readKeys: () => readEntries(stack) }),
    );
    const performer = (doing: string, given?: string): BulkPerformer => ({
      ...singleActs(given),
      progress: (done, total) => terminal.progress(`${doing}: ${done} of ${total} events …`),
      signal,
    });
    const [verb, doing] = act === 'admit' ? ['Apply', 'Applying'] : ['Dismiss', 'Dismissing'];
    const bulk = createBulk({ act, mode }, () => itemsOf(session, operations, { ...chosen, mode }));
    let summary = summaryOf([]);
    const documentOf = (reason: string) => {
      const { open, results } = bulk.state();
      const planned = open.map(({ item, plan }) => ({ ...item, state: 'planned', sentence: plan.sentence }));
      const ended = results.map(({ item, ...result }) => ({ ...item, ...result }));
      return { act, mode, reason, ...summary, results: [...planned, ...ended] };
    };
    const code = await planAndPerform(
      session,
      { ...options, stackOfNext: stack },
      {
        question: () => `${verb} ${bulk.state().open.length} events?`,
        async plan(reason) {
          const plan = await bulk.plan(performer('Reading', reason));
          throwIfStopped();
          summary = summaryOf(bulk.state().open);
          return { plan, preview: documentOf(reason ?? '') };
        },
        async confirm({ reason }) {
          hasBegun = true;
          const confirmation = await bulk.confirm(performer(doing), reason);
          return { ...confirmation, result: documentOf(reason) };
        },
      },
    ).finally(() => {
      const { open, tally } = bulk.state();
      if (!hasBegun || open.length === 0) return;
      terminal.note(`${tally} To go on: npx ${['payhooks', ...argv].map(shellQuoted).join(' ')}`);
    });
    const isLeft = !options.dryRun && notDone(bulk.state().results).length > 0;
    return exitCode() ?? (isLeft ? exitCodes.failed : code);
  });
}

const singleActsOf =
  (env: NodeJS.ProcessEnv, actOf: (request: BulkRequest) => Act) =>
  (given?: string): Pick<BulkPerformer, 'plan' | 'confirm' | 'refusalOf'> => ({
    plan: async (request) => (await planAct(actOf(request), given)).plan,
    confirm: (request, shown, reason) => confirmAct(actOf(request), { shown, reason }),
    refusalOf: (error) =>
      error instanceof ProblemError && [400, 404, 409].includes(error.status)
        ? explainError(error, env).message
        : undefined,
  });

async function itemsOf(
  session: Session,
  operations: OperationsClient,
  { ids, filters, mode }: Chosen & { readonly mode: ReturnType<typeof chosenMode> },
): Promise<readonly BulkItem[]> {
  const { rows, hasMore } = await readList(session, {
    what: 'what waits',
    limit: ids === undefined ? bulkEventsMax : Number.POSITIVE_INFINITY,
    request: (cursor) => operations.waiting({ ...filters, mode, cursor, limit: waitingListMax }),
    rowsOf: (page) => page.events,
  });
  if (hasMore) session.terminal.note(`More than ${bulkEventsMax} wait: repeat it for the others.`);
  // A name waits with the id of its first event.
  const events = rows.filter(({ kind }) => kind !== 'event_name');
  if (ids === undefined) return events;
  const byId = Map.groupBy(events, ({ event_id }) => event_id);
  const none = { kind: null, event_name: null, order_id: null, body_sha256: null };
  return [...new Set(ids)].flatMap((id): BulkItem[] => byId.get(id) ?? [{ ...none, event_id: id }]);
}
