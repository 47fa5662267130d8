import { expect, it } from 'vitest';
import { createStoryTimes } from './story-times.ts';

it('the times of a run become those of the story, whatever the run took', () => {
  const inStoryTimes = createStoryTimes([
    { postedAt: Date.parse('2030-05-05T12:00:00.000Z'), at: '2026-11-02T09:00:00.000Z' },
    { postedAt: Date.parse('2030-05-05T12:00:01.000Z'), at: '2026-11-02T09:30:00.000Z' },
  ]);
  const response = (milliseconds: number) =>
    JSON.stringify({
      updated_at: `2030-05-05T12:00:01.0${60 + milliseconds}Z`,
      events: [
        {
          created_at: '2026-11-02T08:59:59.000000Z',
          received_at: `2030-05-05T12:00:00.0${20 + milliseconds}Z`,
          recorded_at: `2030-05-05T12:00:00.0${40 + milliseconds}Z`,
        },
      ],
      order_id: '2030',
    });
  const shown = {
    updated_at: '2026-11-02T09:30:00.041Z',
    events: [
      {
        created_at: '2026-11-02T08:59:59.000000Z',
        received_at: '2026-11-02T09:00:00.000Z',
        recorded_at: '2026-11-02T09:00:00.038Z',
      },
    ],
    order_id: '2030',
  };
  expect(JSON.parse(inStoryTimes(response(0)))).toEqual(shown);
  expect(JSON.parse(inStoryTimes(response(9)))).toEqual(shown);
});
