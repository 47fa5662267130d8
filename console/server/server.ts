import type { IncomingMessage, ServerResponse } from 'node:http';
import { actRoutes } from './act-routes.ts';
import { type Access, checkOrigin } from './admission.ts';
import { createApi } from './api.ts';
import type { ConsoleContext, ConsoleRoute } from './context.ts';
import { deadLettersRoute } from './dead-letters-route.ts';
import { type Exchange, exchangeOf } from './exchange.ts';
import { createPageAssets, type PageAssets } from './page-assets.ts';
import { ConsoleProblem, problemOf } from './problem.ts';
import { isProxied, proxyRoutes } from './proxy.ts';
import { refusedRoute } from './refused-route.ts';
import { type Audience, headers, respond, respondProblem } from './respond.ts';
import { runbookRoute } from './runbook.ts';
import { seriesRoute } from './series/deployed.ts';
import { type OwnState, stackRoute } from './stack-route.ts';
import { statusRoutes } from './status-route.ts';

export interface ConsoleOptions extends ConsoleContext {
  /** The resources under `/console/api/laboratory`, which only local mode has. */
  readonly laboratory?: readonly ConsoleRoute[];
  /** Whether it passes requests on to the APIs of the stack; local mode serves them itself. */
  readonly isProxy?: boolean;
  /** Without it everyone who reaches the port may use the console. */
  readonly access?: Access;
  readonly assets?: PageAssets;
}

/** The requests of one kind. */
interface Area {
  readonly audience: Audience;
  readonly methods: readonly string[];
  /** Whether a page of another site may link here. */
  readonly crossSite: boolean;
  serve(exchange: Exchange): Promise<void>;
}

/** The page, its files and its API, for local mode and for a deployed stack. */
export function createConsoleServer(options: ConsoleOptions) {
  const { env, access, laboratory = [], assets = createPageAssets(), isProxy = false } = options;
  const ownState = async (): Promise<OwnState> => ({
    build: (await assets.document()).build,
    ...(access !== undefined && { console_id: access.id }),
    laboratory: laboratory.length > 0,
  });
  const api = createApi([
    ...[stackRoute(options, ownState), ...statusRoutes(options), ...actRoutes(options)],
    ...[deadLettersRoute(options), runbookRoute(options), seriesRoute(options), refusedRoute(options)],
    ...laboratory,
    ...(isProxy ? proxyRoutes(options) : []),
  ]);
  const [page, file] = [pageArea(assets), fileArea(assets)];
  /** `undefined` for a path that is not the console's. */
  function areaOf(path: string): Area | undefined {
    if (path.startsWith('/console/api/') || (isProxy && isProxied(path))) {
      return { audience: 'page', methods: api.methodsAt(path), crossSite: false, serve: api.serve };
    }
    if (path.startsWith('/console/assets/')) return file;
    return path === '/' || path === '/console' || path.startsWith('/console/') ? page : undefined;
  }

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

const pageArea = (assets: PageAssets): Area => ({
  ...{ audience: 'person', methods: ['GET', 'HEAD'], crossSite: true },
  async serve({ response }) {
    const { body } = await assets.document();
    respond(response, { status: 200, type: 'text/html; charset=utf-8', body });
  },
});

const fileArea = (assets: PageAssets): Area => ({
  ...{ audience: 'person', methods: ['GET', 'HEAD'], crossSite: false },
  async serve({ response, path }) {
    const asset = assets.asset(path.slice('/console/assets/'.length));
    if (asset === undefined) throw new ConsoleProblem(404, 'There is no such file. The console is at /.');
    respond(response, { status: 200, ...asset });
  },
});
