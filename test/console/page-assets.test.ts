import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { createPageAssets } from '../../console/server/page-assets.ts';

const assets = createPageAssets();
afterAll(() => assets.close());

const loadedBy = (document: string): string[] =>
  [...document.matchAll(/(?:href|src)="\/console\/assets\/([^"]+)"/g)].map(([, name = '']) => name);

describe('the assets of the console', () => {
  it('keeps everything that the page loads under 100 KB compressed', async () => {
    const { body } = await assets.document();
    const files = [
      body,
      ...loadedBy(body.toString()).map((name) => assets.asset(name)?.body ?? Buffer.alloc(0)),
    ];
    const bytes = files.reduce((sum, file) => sum + gzipSync(file).length, 0);
    process.stdout.write(`The console's page is ${(bytes / 1024).toFixed(1)} KB compressed.\n`);
    expect(bytes).toBeGreaterThan(10 * 1024);
    expect(bytes).toBeLessThan(100 * 1024);
  });
});

describe('the bundle of a page', () => {
  it('is kept as long as no source changes', async () => {
    const { assets: own } = openSmallPage();
    await own.document();
    const kept = await own.document();
    expect(kept.build).toMatch(/^[0-9a-f]{12}$/);
    expect(await own.document()).toBe(kept);
  });

  it('is made again after a change that keeps the time of the contents', async () => {
    const { assets: own, folder } = openSmallPage();
    await own.document();
    const { build } = await own.document();
    const words = join(folder, 'words.ts');
    const { atime, mtime } = statSync(words);
    writeFileSync(words, 'export const words = "second";');
    utimesSync(words, atime, mtime);
    const { body, build: next } = await own.document();
    expect(next).not.toBe(build);
    expect(mainOf(own, body)).toContain('second');
  });

  it('has a change that came while an earlier request was under way', async () => {
    const { assets: own, folder } = openSmallPage();
    const earlier = own.document();
    writeFileSync(join(folder, 'words.ts'), 'export const words = "meanwhile";');
    const { body } = await own.document();
    expect(mainOf(own, body)).toContain('meanwhile');
    await earlier;
  });

  it('is made after the process of esbuild has been killed, also for two requests at once', async () => {
    const { assets: own, folder } = openSmallPage();
    await own.document();
    writeFileSync(join(folder, 'words.ts'), 'export const words = "after";');
    execFileSync('pkill', ['-KILL', '-P', String(process.pid), '-x', 'esbuild']);
    const documents = await Promise.all([own.document(), own.document()]);
    for (const { body } of documents) expect(mainOf(own, body)).toContain('after');
  });
});

/** A page of three files in a folder of its own. */
function openSmallPage() {
  const folder = mkdtempSync(join(tmpdir(), 'payhooks-page-'));
  writeFileSync(join(folder, 'main.tsx'), 'import { words } from "./words.ts"; document.title = words;');
  writeFileSync(join(folder, 'words.ts'), 'export const words = "first";');
  writeFileSync(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const own = createPageAssets(folder);
  onTestFinished(async () => {
    await own.close();
    rmSync(folder, { recursive: true });
  });
  return { assets: own, folder };
}

function mainOf(own: typeof assets, document: Buffer): string {
  const name = loadedBy(document.toString()).find((one) => one.startsWith('main')) ?? '';
  return own.asset(name)?.body.toString() ?? '';
}
