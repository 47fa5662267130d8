import { describeReplay, wholeOf } from '../../operator/acts/whole-replay.ts';
import { openOperations } from '../../operator/operations.ts';
import type { ExitCode } from '../../operator/operator-error.ts';
import { runAct } from '../act.ts';
import { chosenMode } from '../mode.ts';
import { interruptible, requestPages } from '../pages.ts';
import type { Session } from '../session.ts';
import { createTarget } from '../target/target.ts';
import type { ReplayOptions } from './run-options.ts';

const words = {
  current: { verb: 'Replay', doing: 'Replaying', done: 'replayed' },
  stored: { verb: 'Rebuild', doing: 'Rebuilding', done: 'rebuilt' },
} as const;

/** Shows what a replay would change, asks, and replays. */
export function replayEvents(
  session: Session,
  options: ReplayOptions,
  readings: 'current' | 'stored' = 'current',
): Promise<ExitCode> {
  return interruptible(session, async (stop) => {
    const operations = openOperations(await createTarget(session, options).stack());
    const { event, order, since, until, publish, rate } = options;
    const { verb, doing, done } = words[readings];
    let total: number | undefined;
    return runAct(session, options, {
      async perform({ dry_run, reason }) {
        const pages = await requestPages(session, stop, {
          request: (place) =>
            operations.replay({
              mode: chosenMode(options),
              dry_run,
              ...(reason !== undefined && { reason }),
              ...(event !== undefined && { event_id: event }),
              ...(order !== undefined && { order_id: order }),
              ...(since !== undefined && place.cursor === undefined && { since }),
              ...(until !== undefined && place.cursor === undefined && { until }),
              ...(publish && { publish }),
              ...(readings === 'stored' && { readings }),
              // A cursor holds the time of its run.
              ...(event === undefined ? place : {}),
            }),
          cursor: options.resume,
          rate,
          handled: ({ replayed, left }) => replayed + left.length,
          doing: dry_run ? 'Comparing' : doing,
          subject: event ?? order,
          total,
          isPreview: dry_run,
        });
        const whole = wholeOf(pages);
        total = whole.replayed + whole.left.length;
        if (!dry_run && !options.json) session.terminal.print(describeReplay(whole, done));
        return whole;
      },
      consequence: (preview) => describeReplay(preview, `would be ${done}`),
      unchanged: (preview) => describeReplay(preview, `would be ${done}`),
      question: `${verb} them?`,
      done: 'Done.',
    });
  });
}
