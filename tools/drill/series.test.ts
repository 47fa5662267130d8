import { expect, it } from 'vitest';
import { runSeries } from './series.ts';

it('drills share a scene, and the one after a failed drill gets a new one', async () => {
  const log: string[] = [];
  let opened = 0;
  async function open() {
    opened += 1;
    const name = `scene ${opened}`;
    log.push(`open ${name}`);
    return { name, close: async () => void log.push(`close ${name}`) };
  }
  const failed = await runSeries(
    ['a', 'broken', 'c', 'd', 'broken'],
    open,
    async (drill, { name }, place) => {
      log.push(`${place} ${drill} in ${name}`);
      return drill !== 'broken';
    },
  );
  expect(failed).toBe(2);
  expect(log).toEqual([
    'open scene 1',
    '[1/5] a in scene 1',
    '[2/5] broken in scene 1',
    'close scene 1',
    'open scene 2',
    '[3/5] c in scene 2',
    '[4/5] d in scene 2',
    '[5/5] broken in scene 2',
    'close scene 2',
  ]);
});
