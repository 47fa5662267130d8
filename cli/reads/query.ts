import { payloadRoutes } from '../../lambdas/contract/payload-routes.ts';
import { logQueryCharactersMax, logRowsMax } from '../../operator/limits.ts';
import { CommandError } from '../../operator/operator-error.ts';

/** A search for requests, and which of the paths that it finds are meant. */
export interface ReadsSearch {
  readonly queryString: string;
  readonly isMeant: (path: string) => boolean;
}

/** The fields of an access log line that show who read what. */
const shownFields = ['@timestamp', 'caller', 'callerAccount', 'ip', 'status', 'routeKey', 'path'] as const;

/** The query for CloudWatch Logs Insights; the runbook has it as it is without paths. */
export function readsQuery(paths?: readonly string[]): string {
  return [
    `fields ${shownFields.join(', ')}`,
    `| filter routeKey in ${list(payloadRoutes)}`,
    // An escape may stand for any character, so these paths are compared once they are decoded.
    ...(paths === undefined ? [] : [`| filter path in ${list(paths)} or path like /%/`]),
    '| sort @timestamp desc',
    `| limit ${logRowsMax}`,
  ].join('\n');
}

const list = (texts: readonly string[]): string =>
  `[${texts.map((text) => JSON.stringify(text)).join(', ')}]`;

/** As few searches as the bound of a query permits for the payloads of these events, or one for all. */
export function readsSearches(eventIds: readonly string[] | undefined): readonly ReadsSearch[] {
  if (eventIds === undefined) return [{ queryString: readsQuery(), isMeant: () => true }];
  const groups: string[][] = [];
  for (const id of eventIds) {
    const own = [`/events/${id}`, `/operations/bodies/events/${id}`];
    if (readsQuery(own).length > logQueryCharactersMax) {
      throw new CommandError('failed', `The event id of ${id.length} characters is too long for a search.`);
    }
    const last = groups.at(-1);
    const fits = last !== undefined && readsQuery([...last, ...own]).length <= logQueryCharactersMax;
    if (fits) last.push(...own);
    else groups.push(own);
  }
  return groups.map((paths) => ({
    queryString: readsQuery(paths),
    isMeant: (path) => paths.includes(path) || paths.includes(decoded(path)),
  }));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
