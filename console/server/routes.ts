import { actRoutes } from './act-routes.ts';
import type { ConsoleContext, ConsoleRoute } from './context.ts';
import { deadLetterRoutes } from './dead-letter-routes.ts';
import { messagesRoute } from './messages-route.ts';
import { runbookRoute } from './runbook.ts';
import { seriesRoute } from './series/deployed.ts';
import { type OwnState, stackRoute } from './stack-route.ts';
import { statusRoutes } from './status-route.ts';

/** Every resource of the console that both local mode and a deployed stack have. */
export const createRoutes = (
  context: ConsoleContext,
  ownState: () => Promise<OwnState>,
): readonly ConsoleRoute[] => [
  stackRoute(context, ownState),
  ...statusRoutes(context),
  ...actRoutes(context),
  ...deadLetterRoutes(context),
  messagesRoute(context),
  runbookRoute(context),
  seriesRoute(context),
];
