import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Fails when the page scrolls sideways, or breaks a word in its middle. */
export async function expectTidyLayout(page: Page): Promise<void> {
  // The page may still be adapting to a new width.
  await expect.poll(() => overflow(page), { message: `at ${page.url()}` }).toEqual([]);
  await expect.poll(() => brokenWords(page), { message: `at ${page.url()}` }).toEqual([]);
}

/** What makes the page wider than its window: an empty list when the page does not scroll sideways. */
function overflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const wide = [...document.body.querySelectorAll('*')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 1,
    );
    const names = wide.slice(0, 5).map(({ tagName, className }) => `${tagName}.${className}`);
    return [`${scrollWidth} px in a window of ${clientWidth} px`, ...names];
  });
}

/**
 * Words that are shown on more than one line, and elements whose style would allow it. A word ends where text may
 * wrap by itself: at white space and after a hyphen, a slash and the like.
 */
function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    for (const element of document.body.querySelectorAll('*')) {
      const { wordBreak, overflowWrap } = getComputedStyle(element);
      if (wordBreak === 'break-all' || wordBreak === 'break-word' || overflowWrap !== 'normal')
        found.push(`${element.tagName}.${element.className} has ${wordBreak}, ${overflowWrap}`);
    }
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (texts.nextNode()) {
      const { currentNode: node } = texts;
      for (const { index, 0: word } of (node.textContent ?? '').matchAll(/[\p{L}\p{N}_]+/gu)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) found.push(`"${word}" stands on ${lines.size} lines`);
      }
    }
    return found;
  });
}
