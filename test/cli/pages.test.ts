import { ConflictError } from '@payhooks/order-client';
import { expect, it } from 'vitest';
import { interruptible, pagesOf } from '../../cli/acts/pages.ts';
import type { Session } from '../../cli/session.ts';
import { recordTerminal } from '../doubles/terminal.ts';

/** Three pages of ten events; each request takes a second of the session's clock. */
function setUp({ stopsAt = 0, showsProgress = false, options = [] as readonly string[] } = {}) {
  const { terminal, notes } = recordTerminal();
  const shown: string[] = [];
  let now = 0;
  const session = {
    terminal: { ...terminal, showsProgress, progress: (line: string) => shown.push(line) },
    now: () => now,
    argv: ['replay', '--since', '2026-11-01T00:00:00Z', '--resume', '0', '--reason', 'a fix', ...options],
  } as unknown as Session;
  const requested: object[] = [];
  const work = {
    async request(place: { cursor?: string; limit?: number }) {
      requested.push(place);
      now += 1_000;
      if (requested.length === stopsAt) process.emit('SIGINT', 'SIGINT');
      const next = Number(place.cursor ?? 0) + 1;
      return { handled: 10, next_cursor: next === 3 ? null : String(next) };
    },
    handled: (page: { handled: number }) => page.handled,
    doing: 'Replaying',
    done: 'replayed',
  };
  type Given = Partial<typeof work> & {
    segments?: number;
    rate?: number;
    resume?: string;
    total?: number;
    isPreview?: boolean;
    isOfTables?: boolean;
    leftIn?: () => number;
  };
  const run = (...runs: readonly (Given & { subject?: string })[]) =>
    interruptible(session, async (stop) => {
      for (const given of runs) await pagesOf(session, { ...given, stop })({ ...work, ...given });
      return 0;
    });
  return { run, work, requested, shown, notes };
}

it('a run goes on from a cursor, with no more events at a time than the rate allows in a second', async () => {
  const { run, requested } = setUp();
  await run({ resume: '1', rate: 10 });
  expect(requested).toEqual([
    { cursor: '1', limit: 10 },
    { cursor: '2', limit: 10 },
  ]);
});

it('a run shows how many events are done, with a bar where a person sees it', async () => {
  const { run, shown } = setUp();
  await run({ total: 30 }, {});
  expect(shown.slice(0, 3)).toEqual([
    'Replaying: 10 of 30 events, 10/s …',
    'Replaying: 20 of 30 events, 10/s …',
    'Replaying: 10 events, 10/s …',
  ]);
  const atTerminal = setUp({ showsProgress: true });
  await atTerminal.run({ total: 30 });
  expect(atTerminal.shown[1]).toBe('Replaying █████████████░░░░░░░  66%: 20 of 30 events, 10/s …');
});

it('a preview estimates its total by a part of the tables that fits a page, and drops a guess too low', async () => {
  const { run, shown, requested } = setUp();
  const eventsIn: Readonly<Record<string, number>> = { '1/64': 200, '1/512': 25 };
  const request = async (place: { segment?: string; cursor?: string }) => {
    requested.push(place);
    const { segment = '' } = place;
    if (segment in eventsIn)
      return { handled: eventsIn[segment] ?? 0, next_cursor: segment === '1/64' ? 'more' : null };
    const next = Number(place.cursor ?? 0) + 1;
    return { handled: 10_000, next_cursor: next === 3 ? null : String(next) };
  };
  await run({ request, isPreview: true, isOfTables: true });
  expect(requested.slice(0, 3)).toEqual([{ segment: '1/64' }, { segment: '1/512' }, {}]);
  expect(shown).toEqual([
    'Replaying: 10,000 of about 13,000 events, 10,000/s …',
    'Replaying: 20,000 events, 20,000/s …',
  ]);
});

it('a run waits as long as a page says before it requests the next one', async () => {
  const { run, work, notes, requested } = setUp();
  const request = async (place: { cursor?: string }) => ({
    ...(await work.request(place)),
    retry_after_seconds: place.cursor === undefined ? 0.01 : null,
  });
  await run({ request, subject: 'order-1' });
  expect(requested).toHaveLength(3);
  expect(notes).toEqual(['Waiting 0.01 s: a consumer may still be working on order-1.']);
});

it.each([
  { phase: 'an act', isPreview: false, outcome: 'replaying; at least 10 of 4,868 events were replayed' },
  { phase: 'its preview', isPreview: true, outcome: 'comparing; nothing was replayed', from: '--resume 0 ' },
  { phase: 'a dry run', isPreview: true, option: '--dry-run', outcome: 'comparing; nothing was replayed' },
])(
  'a signal ends $phase while a request is in flight, and prints the command that goes on with what was asked',
  async ({ isPreview, outcome, option, from = '' }) => {
    const { run, work, notes } = setUp({ options: option === undefined ? [] : [option] });
    const request = async (place: { cursor?: string }) => {
      if (place.cursor === undefined) return work.request(place);
      process.emit('SIGINT', 'SIGINT');
      return new Promise<never>(() => {});
    };
    expect(
      await run({ request, isPreview, total: 4_868, doing: isPreview ? 'Comparing' : 'Replaying' }),
    ).toBe(130);
    const command = `replay --since 2026-11-01T00:00:00Z ${from}--reason 'a fix'`;
    const place = from === '' ? `${option === undefined ? '' : ` ${option}`} --resume 1` : '';
    expect(notes).toEqual([`Stopped while ${outcome}.\nTo go on: npx payhooks ${command}${place}`]);
  },
);

it('a signal during the last page of a preview ends the run before anything is done', async () => {
  const { run, requested } = setUp({ stopsAt: 3 });
  expect(await run({ isPreview: true }, {})).toBe(130);
  expect(requested).toHaveLength(3);
});

it('a signal ends a run that waits for a busy event', async () => {
  const { run, notes } = setUp();
  const problem = { type: 'about:blank', title: 'Busy', status: 409, detail: 'busy' } as const;
  const request = async () => {
    process.emit('SIGTERM', 'SIGTERM');
    throw new ConflictError({ ...problem, retry_after_seconds: 60 });
  };
  expect(await run({ request })).toBe(143);
  expect(notes.at(-1)).toMatch(/^Stopped while replaying; at least 0 events were replayed\./);
});

it('a run that is stopped does not count as done what it has left as it is', async () => {
  const { run, notes } = setUp({ stopsAt: 2 });
  expect(await run({ leftIn: () => 2 })).toBe(130);
  expect(notes.at(-1)).toMatch(/; at least 16 events were replayed\./);
});

it('a run goes through all parts of the tables at once, and goes on with those that a signal left', async () => {
  const { run, work, requested, shown, notes } = setUp();
  let [underWay, most] = [0, 0];
  const request = async (place: { segment?: string; cursor?: string }) => {
    requested.push(place);
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise(setImmediate);
    underWay -= 1;
    if (place.cursor !== undefined) {
      if (place.cursor === 'after-1-3') process.emit('SIGINT', 'SIGINT');
      return new Promise<never>(() => {});
    }
    return {
      handled: 10,
      next_cursor: place.segment === '2/3' ? null : `after-${place.segment}`.replace(/\//, '-'),
    };
  };
  expect(await run({ ...work, request, segments: 3 })).toBe(130);
  expect([most, requested.slice(0, 3)]).toEqual([
    3,
    [{ segment: '1/3' }, { segment: '2/3' }, { segment: '3/3' }],
  ]);
  expect(shown.at(-1)).toBe('Replaying: 30 events, 30/s …');
  expect(notes[0]).toMatch(/at least 30 events were replayed\.\n.* --resume after-1-3,after-3-3$/);
  requested.length = 0;
  await run({
    ...work,
    async request(place: object) {
      requested.push(place);
      return { handled: 1, next_cursor: null };
    },
    resume: 'a,2/3',
  });
  expect(requested).toEqual([{ cursor: 'a' }, { segment: '2/3' }]);
});
