import type { OperationsClient } from '@payhooks/order-client';
import { printable } from '../printable.ts';
import type { Act } from './act.ts';
import type { ActRequest } from './documents.ts';
import type { PagePerformer } from './pages.ts';
import { describeReplay, type WholeReplay, wholeOf } from './whole-replay.ts';

const words = {
  current: { verb: 'Replay', doing: 'Replaying', done: 'replayed' },
  stored: { verb: 'Rebuild', doing: 'Rebuilding', done: 'rebuilt' },
} as const;

/** Has stored bodies read again, or with `readings: 'stored'` orders computed from what was read. */
export function replay(
  operations: Pick<OperationsClient, 'replay'>,
  { act: _, ...request }: Extract<ActRequest, { readonly act: 'replay' }>,
  { requestPages, signal }: PagePerformer,
): Act<WholeReplay> {
  const { event_id, order_id, since, until, ...others } = request;
  const { verb, doing, done } = words[request.readings ?? 'current'];
  const subject = event_id ?? order_id;
  const what =
    event_id === undefined ? (order_id === undefined ? 'them' : `the events of ${order_id}`) : event_id;
  const times = { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
  const named = { ...(event_id !== undefined && { event_id }), ...(order_id !== undefined && { order_id }) };
  let total: number | undefined;
  return {
    question: `${verb} ${printable(what)}?`,
    isLong: subject === undefined,
    async send(given) {
      const pages = await requestPages({
        request: (place) =>
          operations.replay(
            {
              ...others,
              ...named,
              ...given,
              // A cursor holds the time of its run, and an event has one page.
              ...(place.cursor === undefined && times),
              ...(event_id === undefined && place),
            },
            { signal },
          ),
        handled: ({ replayed, left }) => replayed + left.length,
        doing: given.dry_run ? 'Comparing' : doing,
        ...{ subject, total, isPreview: given.dry_run },
      });
      const whole = wholeOf(pages);
      total = whole.replayed + whole.left.length;
      return whole;
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
