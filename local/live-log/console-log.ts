import type { LiveEntry } from '../../console/contract.ts';
import type { ConsoleLog } from '../../console/server/context.ts';
import type { LiveLogEntry } from './entry.ts';
import type { LiveLog } from './live-log.ts';

/** The live log in the form that the console shows. */
export const consoleLog = (liveLog: LiveLog): ConsoleLog => ({
  subscribe: (onEntry) => liveLog.subscribe((entry) => onEntry(shown(entry))),
  recent: () => liveLog.recent().map(shown),
});

const shown = ({ statusBefore, sinceAcceptedMilliseconds, ...entry }: LiveLogEntry): LiveEntry => ({
  ...entry,
  status_before: statusBefore,
  since_accepted_milliseconds: sinceAcceptedMilliseconds,
});
