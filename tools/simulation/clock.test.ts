import { expect, it } from 'vitest';
import { createClock } from './clock.ts';

it('what the look at the end begins is done in its turn, and nothing is done twice', async () => {
  const clock = createClock(0);
  const done: string[] = [];
  clock.after(5, () => done.push('planned'));
  let looks = 0;
  await clock.run(10, () => {
    looks += 1;
    if (looks === 1) clock.after(0, () => done.push('begun by the look'));
    return false;
  });
  expect(done).toEqual(['begun by the look', 'planned']);
});
