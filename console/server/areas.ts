import type { createApi } from './api.ts';
import type { Exchange } from './exchange.ts';
import type { createPageAssets } from './page-assets.ts';
import { ConsoleProblem } from './problem.ts';
import { isProxied, routeAt } from './proxied-routes.ts';
import { type Audience, respond } from './respond.ts';

/** The requests of one kind. */
export interface Area {
  readonly audience: Audience;
  readonly methods: readonly string[];
  /** Whether a page of another site may link here. */
  readonly crossSite: boolean;
  serve(exchange: Exchange): Promise<void>;
}

export interface AreaParts {
  readonly assets: ReturnType<typeof createPageAssets>;
  readonly api: ReturnType<typeof createApi>;
  /** `undefined` where the APIs of the stack are at the same address anyway. */
  readonly passOn: Area['serve'] | undefined;
}

/** Finds the area of a path; `undefined` for a path that is not the console's. */
export function createAreas({ assets, api, passOn }: AreaParts) {
  const page = pageArea(assets);
  const file = fileArea(assets);
  return function areaOf(path: string): Area | undefined {
    if (path.startsWith('/console/api/')) {
      return { audience: 'page', methods: api.methodsAt(path), crossSite: false, serve: api.serve };
    }
    if (path.startsWith('/console/assets/')) return file;
    if (path === '/' || path === '/console' || path.startsWith('/console/')) return page;
    if (passOn === undefined || !isProxied(path)) return undefined;
    const methods = routeAt(path) === undefined ? [] : ['GET', 'HEAD'];
    return { audience: 'page', methods, crossSite: false, serve: passOn };
  };
}

const pageArea = (assets: AreaParts['assets']): Area => ({
  ...{ audience: 'person', methods: ['GET', 'HEAD'], crossSite: true },
  async serve({ response }) {
    const { body } = await assets.document();
    respond(response, { status: 200, type: 'text/html; charset=utf-8', body });
  },
});

const fileArea = (assets: AreaParts['assets']): Area => ({
  ...{ audience: 'person', methods: ['GET', 'HEAD'], crossSite: false },
  async serve({ response, path }) {
    const asset = assets.asset(path.slice('/console/assets/'.length));
    if (asset === undefined) throw new ConsoleProblem(404, 'There is no such file. The console is at /.');
    respond(response, { status: 200, ...asset });
  },
});
