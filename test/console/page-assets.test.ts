import { execFileSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { createPageAssets } from '../../console/server/page-assets.ts';

const assets = createPageAssets();
afterAll(() => assets.close());

const loadedBy = (document: string): string[] =>
  [...document.matchAll(/(?:href|src)="\/console\/assets\/([^"]+)"/g)].map(([, name = '']) => name);

describe('the assets of the console', () => {
  it('serves a document that loads an icon, two scripts and one style sheet by hashed names', async () => {
    const { body } = await assets.document();
    expect(loadedBy(body.toString()).map((name) => name.replace(/-[A-Z0-9]{8}\./, '-HASH.'))).toEqual([
      'icon-HASH.svg',
      'first-paint-HASH.js',
      'main-HASH.css',
      'main-HASH.js',
    ]);
  });

  it('serves every file that the document names, with its type', async () => {
    const { body } = await assets.document();
    const found = loadedBy(body.toString()).map((name) => assets.asset(name)?.type);
    expect(found).toEqual([
      'image/svg+xml',
      'text/javascript; charset=utf-8',
      'text/css; charset=utf-8',
      'text/javascript; charset=utf-8',
    ]);
    expect(assets.asset('other.js')).toBeUndefined();
  });

  it('has the same build as long as no source changes', async () => {
    const { build } = await assets.document();
    expect(build).toMatch(/^[0-9a-f]{12}$/);
    expect((await assets.document()).build).toBe(build);
  });

  it('keeps everything that the page loads under 150 KB compressed', async () => {
    const { body } = await assets.document();
    const files = [
      body,
      ...loadedBy(body.toString()).map((name) => assets.asset(name)?.body ?? Buffer.alloc(0)),
    ];
    const bytes = files.reduce((sum, file) => sum + gzipSync(file).length, 0);
    process.stdout.write(`The console's page is ${(bytes / 1024).toFixed(1)} KB compressed.\n`);
    expect(bytes).toBeGreaterThan(10 * 1024);
    expect(bytes).toBeLessThan(150 * 1024);
  });

  it('contains no inline script, no inline style and nothing from another origin', async () => {
    const { body } = await assets.document();
    const document = body.toString();
    expect(document).not.toMatch(/<script>|<style|style=|https?:/);
  });

  it('are bundled again after the process of esbuild has been killed, also for two requests at once', async () => {
    const { build } = await assets.document();
    execFileSync('pkill', ['-KILL', '-P', String(process.pid), '-x', 'esbuild']);
    const builds = await Promise.all([assets.document(), assets.document()]);
    expect(builds.map((one) => one.build)).toEqual([build, build]);
  });

  it('say that the console is stopping to a request that comes after their end', async () => {
    const ended = createPageAssets();
    await ended.document();
    await ended.close();
    await expect(ended.document()).rejects.toMatchObject({
      status: 503,
      message: 'The console is stopping.',
    });
  });

  it('start no process of esbuild for a request that was under way at their end', async () => {
    const ending = createPageAssets();
    await ending.document();
    const underWay = ending.document().catch((error: unknown) => error);
    await ending.close();
    expect(await underWay).toSatisfy((result) => !(result instanceof TypeError));
  });
});
