import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Access, checkOrigin } from './admission.ts';
import { createApi } from './api.ts';
import { type Area, createAreas } from './areas.ts';
import type { ConsoleContext, ConsoleRoute } from './context.ts';
import { type Exchange, exchangeOf } from './exchange.ts';
import { createPageAssets } from './page-assets.ts';
import { problemOf } from './problem.ts';
import { createProxy } from './proxy.ts';
import { headers, respondProblem } from './respond.ts';
import { createRoutes } from './routes.ts';
import type { OwnState } from './stack-route.ts';

export interface ConsoleOptions extends ConsoleContext {
  /** The resources under `/console/api/laboratory`, which only local mode has. */
  readonly laboratory?: readonly ConsoleRoute[];
  /** Whether it passes requests on to the APIs of the stack; local mode serves them itself. */
  readonly isProxy?: boolean;
  /** Without it everyone who reaches the port may use the console. */
  readonly access?: Access;
  readonly assets?: ReturnType<typeof createPageAssets>;
}

/** The page, its files and its API, for local mode and for a deployed stack. */
export function createConsoleServer(options: ConsoleOptions) {
  const { env, access, laboratory = [], assets = createPageAssets(), isProxy = false } = options;
  const ownState = async (): Promise<OwnState> => ({
    build: (await assets.document()).build,
    ...(access !== undefined && { console_id: access.id }),
    laboratory: laboratory.length > 0,
  });
  const api = createApi([...createRoutes(options, ownState), ...laboratory]);

  const passOn = isProxy ? createProxy(options.stack) : undefined;
  const areaOf = createAreas({ assets, api, passOn });

  return {
    /** Returns whether the request was for the console. */
    handle(request: IncomingMessage, response: ServerResponse): boolean {
      const exchange = exchangeOf(request, response);
      const area = areaOf(exchange.path);
      if (area === undefined) return false;
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      serve(area, exchange, access).catch((error: unknown) => {
        respondProblem(response, area.audience, problemOf(error, env));
      });
      return true;
    },
  };
}

async function serve(area: Area, exchange: Exchange, access: Access | undefined): Promise<void> {
  checkOrigin(exchange, area);
  const address = access?.admit(exchange);
  if (address === undefined) await area.serve(exchange);
  else exchange.response.writeHead(303, { location: address }).end();
}
