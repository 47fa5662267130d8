import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LiveHello } from '../contract.ts';
import { type Access, checkOrigin } from './admission.ts';
import { createApi } from './api.ts';
import { type Area, createAreas } from './areas.ts';
import type { ConsoleContext, ConsoleRoute } from './context.ts';
import { type Exchange, exchangeOf } from './exchange.ts';
import { createLiveStreams } from './live.ts';
import { createPageAssets } from './page-assets.ts';
import { problemOf } from './problem.ts';
import { createProxy } from './proxy.ts';
import { headers, respondProblem } from './respond.ts';
import { createRoutes } from './routes.ts';

export interface ConsoleOptions extends ConsoleContext {
  /** The resources under `/console/api/laboratory`, which only local mode has. */
  readonly laboratory?: readonly ConsoleRoute[];
  /** Whether it passes requests on to the APIs of the stack; local mode serves them itself. */
  readonly isProxy?: boolean;
  /** Without it everyone who reaches the port may use the console. */
  readonly access?: Access;
  readonly assets?: ReturnType<typeof createPageAssets>;
}

export interface ConsoleServer {
  /** Returns whether the request was for the console. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => boolean;
  close(): Promise<void>;
}

/** The page, its files and its API, for local mode and for a deployed stack. */
export function createConsoleServer(options: ConsoleOptions): ConsoleServer {
  const { env, log, access, laboratory = [], assets = createPageAssets(), isProxy = false } = options;
  const streams = createLiveStreams(log);
  const hello = async (): Promise<LiveHello> => {
    const { build } = await assets.document();
    return { build, ...(access !== undefined && { console_id: access.id }) };
  };
  const parts = { hello, hasLaboratory: laboratory.length > 0 };
  const api = createApi([...createRoutes(options, parts), ...laboratory]);

  const passOn = isProxy ? createProxy(options.stack) : undefined;
  const areaOf = createAreas({ assets, api, streams, hello, passOn });

  return {
    handle(request, response) {
      const exchange = exchangeOf(request, response);
      const area = areaOf(exchange.path);
      if (area === undefined) return false;
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      serve(area, exchange, access).catch((error: unknown) => {
        respondProblem(response, area.audience, problemOf(error, env));
      });
      return true;
    },
    async close() {
      streams.close();
      await assets.close();
    },
  };
}

async function serve(area: Area, exchange: Exchange, access: Access | undefined): Promise<void> {
  checkOrigin(exchange, area);
  const address = access?.admit(exchange);
  if (address === undefined) await area.serve(exchange);
  else exchange.response.writeHead(303, { location: address }).end();
}
