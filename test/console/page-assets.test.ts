import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPageAssets } from '../../console/server/page-assets.ts';

const assets = createPageAssets();

const loadedBy = (document: string): string[] =>
  [...document.matchAll(/(?:href|src)="\/console\/assets\/([^"]+)"/g)].map(([, name = '']) => name);

describe('the assets of the console', () => {
  it('keeps what the first page loads under 48 KB compressed: less than a second at 480 kbit/s', async () => {
    const { body } = await assets.document();
    const files = [
      body,
      ...loadedBy(body.toString()).map((name) => assets.asset(name)?.body ?? Buffer.alloc(0)),
    ];
    const bytes = files.reduce((sum, file) => sum + gzipSync(file).length, 0);
    process.stdout.write(`The console's first page is ${(bytes / 1024).toFixed(1)} KB compressed.\n`);
    expect(bytes).toBeGreaterThan(10 * 1024);
    expect(bytes).toBeLessThan(48 * 1024);
    // The laboratory and the charts come later.
    for (const words of ['A deployed stack has no laboratory', 'Oldest event in the queue'])
      expect(files.some((file) => file.includes(words))).toBe(false);
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

  it('is made again after a fault that is corrected', async () => {
    const { assets: own, folder } = openSmallPage();
    writeFileSync(join(folder, 'words.ts'), 'no code');
    await expect(own.document()).rejects.toThrow('Build failed');
    writeFileSync(join(folder, 'words.ts'), 'export const words = "right";');
    expect(mainOf(own, (await own.document()).body)).toContain('right');
  });
});

/** A page of three files in a folder of its own. */
function openSmallPage() {
  const folder = mkdtempSync(join(tmpdir(), 'payhooks-page-'));
  writeFileSync(join(folder, 'main.tsx'), 'import { words } from "./words.ts"; document.title = words;');
  writeFileSync(join(folder, 'words.ts'), 'export const words = "first";');
  writeFileSync(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const own = createPageAssets(folder);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return { assets: own, folder };
}

function mainOf(own: typeof assets, document: Buffer): string {
  const name = loadedBy(document.toString()).find((one) => one.startsWith('main')) ?? '';
  return own.asset(name)?.body.toString() ?? '';
}
