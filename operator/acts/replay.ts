import type { OperationsClient, ReplayResult } from '@payhooks/order-client';
import { leftSentences } from '../../lambdas/contract/left-sentences.ts';
import { runSegments } from '../limits.ts';
import { printable } from '../printable.ts';
import { type Act, keepsState } from './act.ts';
import type { ActRequest } from './documents.ts';
import { type PagePerformer, type Whole, wholeOf } from './pages.ts';

const words = {
  current: { verb: 'Replay', doing: 'Replaying', done: 'replayed' },
  stored: { verb: 'Rebuild', doing: 'Rebuilding', done: 'rebuilt' },
} as const;

/** Has stored bodies read again, or with `readings: 'stored'` orders computed from what was read. */
export function replay(
  operations: Pick<OperationsClient, 'replay'>,
  { act: _, ...request }: Extract<ActRequest, { readonly act: 'replay' }>,
  { requestPages, signal }: PagePerformer,
): Act<Whole<ReplayResult>> {
  const { since: _since, until: _until, ...continued } = request;
  const { event_id, order_id } = request;
  const { verb, doing, done } = words[request.readings ?? 'current'];
  const subject = event_id ?? order_id;
  const what =
    event_id === undefined ? (order_id === undefined ? 'them' : `the events of ${order_id}`) : event_id;
  let total: number | undefined;
  return {
    question: () => `${verb} ${printable(what)}?`,
    isLong: subject === undefined,
    async send(given) {
      const pages = await requestPages({
        request: (place) =>
          operations.replay(
            {
              // A cursor holds the time of its run, and an event has one page.
              ...(place.cursor === undefined ? request : continued),
              ...given,
              ...(event_id === undefined && place),
            },
            { signal },
          ),
        handled: ({ replayed, left }) => replayed + left.length,
        leftIn: ({ left }) => left.length,
        doing: given.dry_run ? 'Comparing' : doing,
        ...{ done, subject, total, isPreview: given.dry_run },
        isOfTables: subject === undefined,
        segments: verb === 'Rebuild' ? runSegments : undefined,
      });
      const replayed = pages.reduce((sum, page) => sum + page.replayed, 0);
      const left = pages.flatMap((page) => page.left);
      total = replayed + left.length;
      return { ...wholeOf(pages), replayed, left };
    },
    consequence: (preview) =>
      subject === undefined || verb === 'Rebuild'
        ? describeReplay(preview, `would be ${done}`)
        : `If you replay ${printable(what)}, the deployed version reads what is stored again, and every ` +
          `order gets what it says now. ${describeReplay(preview, 'would be replayed')}`,
    unneeded(preview) {
      const isCurrent = preview.left.length === 0 ? ' Everything is up to date.' : '';
      return `${describeReplay(preview, `would be ${done}`)}${isCurrent}`;
    },
    done: (result) => describeReplay(result, done),
    recorded: { event_id, order_id },
  };
}

/** Such as `2 events would be replayed; orders that change: 1.`, and why others were passed over. */
function describeReplay({ replayed, left, orders }: Whole<ReplayResult>, verb: string): string {
  const reasons = [...Map.groupBy(left, ({ reason }) => reason)];
  const kept = reasons.map(([reason, events]) => ` Left as they are: ${leftText(reason, events)}`);
  const same = orders.filter(keepsState).length;
  const changed = (orders.length - same).toLocaleString('en');
  const others = same === 0 ? '' : `; ${same.toLocaleString('en')} keep their state`;
  return `${counted(replayed)} ${verb}; orders that change: ${changed}${others}.${kept.join('')}`;
}

const counted = (events: number): string =>
  events === 1 ? '1 event' : `${events.toLocaleString('en')} events`;

/** The ids of as many events as fit into a line, and why a replay passes over them. */
function leftText(reason: string, events: ReplayResult['left']): string {
  const ids = events.slice(0, 3).map(({ event_id }) => event_id);
  const more = events.length > ids.length ? ', …' : '';
  const known: Readonly<Record<string, string>> = leftSentences;
  const sentence =
    known[reason] ??
    `This version would not accept the body (${reason}); the event counts as it was read before.`;
  return `${counted(events.length)} (${ids.join(', ')}${more}). ${sentence}`;
}
