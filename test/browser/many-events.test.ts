import type { CDPSession, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { storeManyEvents } from './many-events.ts';
import { openPage } from './open-page.ts';
import { openSuite } from './open-suite.ts';
import { whenLoaded } from './pages.ts';

const stored = 100_000;
/** What a page holds of its own, and of the rows on the screen. */
const nodesMax = 3_000;
const heapMegabytesMax = 100;

const { browser, local } = await openSuite({ content: 'nothing' });
beforeAll(() => storeManyEvents(local.baseUrl, stored), 900_000);

describe(`with ${stored} stored events`, () => {
  it.each([
    ['events', '/console/events', 5_000],
    ['orders', '/console/orders', 1_000],
  ])('the list of %s stays small in memory while one scrolls through it', async (list, path, rows) => {
    const page = await openPage(browser, { ...local, path });
    await whenLoaded(page);
    const session = await page.context().newCDPSession(page);
    const before = await measure(session);
    const frames = await scroll(page, rows);
    const after = await measure(session);
    await session.detach();
    process.stdout.write(
      `${list}: ${await loadedRows(page)} rows loaded; DOM nodes ${before.nodes} → ${after.nodes}; ` +
        `heap ${before.heapMegabytes} → ${after.heapMegabytes} MB; ${frames.length} frames, ` +
        `median ${quantile(frames, 0.5)} ms, p95 ${quantile(frames, 0.95)} ms\n`,
    );
    expect(await loadedRows(page)).toBeGreaterThanOrEqual(rows);
    expect(frames.length).toBeGreaterThan(100);
    expect(after.nodes).toBeLessThan(nodesMax);
    expect(after.heapMegabytes).toBeLessThan(heapMegabytesMax);
  });
});

const loadedRows = (page: Page): Promise<number> =>
  page.getByRole('table').evaluate((table) => Number(table.getAttribute('aria-rowcount')) - 1);

/** Scrolls down until so many rows are loaded; resolves with the milliseconds of each frame. */
function scroll(page: Page, rows: number): Promise<number[]> {
  return page.evaluate(async (wanted) => {
    const frames: number[] = [];
    const count = () => Number(document.querySelector('[role="table"]')?.getAttribute('aria-rowcount')) - 1;
    let last = performance.now();
    for (let idle = 0; count() < wanted && idle < 3_000; idle += 1) {
      const top = document.scrollingElement?.scrollTop;
      window.scrollBy(0, 400);
      if (document.scrollingElement?.scrollTop !== top) idle = 0;
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      frames.push(now - last);
      last = now;
    }
    return frames;
  }, rows);
}

/** After a collection of garbage: what the page holds. */
async function measure(session: CDPSession) {
  await session.send('HeapProfiler.collectGarbage');
  const { nodes } = await session.send('Memory.getDOMCounters');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return { nodes, heapMegabytes: Math.round(usedSize / 1024 / 1024) };
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length * part)] ?? 0) * 10) / 10;
}
