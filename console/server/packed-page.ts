import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageAssets } from './page-assets.ts';

/** The page as a build writes it for a package. */
export interface PackedPage {
  readonly body: string;
  readonly build: string;
  readonly assets: Readonly<Record<string, { readonly body: string; readonly type: string }>>;
}

/** In a package, in place of `page-assets.ts`: the page that was bundled when the package was built. */
export function createPageAssets(): PageAssets {
  const file = join(import.meta.dirname, '..', 'console-page.json');
  const { body, build, assets }: PackedPage = JSON.parse(readFileSync(file, 'utf8'));
  const all = new Map(
    Object.entries(assets).map(([name, asset]) => [name, { ...asset, body: Buffer.from(asset.body) }]),
  );
  return { document: async () => ({ body: Buffer.from(body), build }), asset: (name) => all.get(name) };
}
