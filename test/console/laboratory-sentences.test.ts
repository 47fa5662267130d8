import { describe, expect, it } from 'vitest';
import type { LaboratoryRun, LaboratoryStep } from '../../console/contract/laboratory.ts';
import { aroundId, endOf, leadOf, timeIn } from '../../console/page/laboratory/sentences.ts';

const run: LaboratoryRun = {
  ...{
    id: '1',
    experiment: 'paid',
    title: 'Paid',
    expected: 'The order is paid.',
    steps: [],
    progress: null,
  },
  started_at: '2026-11-22T12:00:00.000Z',
  ...{ ended_at: null, seen: null, as_expected: null },
};
const step: LaboratoryStep = {
  ...{ at: '2026-11-22T12:00:01.240Z', kind: 'seen', text: 'lab-paid-x is paid.' },
  link: { page: 'order', id: 'lab-paid-x', mode: 'live' },
};
const ended = { ...run, ended_at: '2026-11-22T12:00:02.000Z', seen: 'It is.' };

describe('the first line of the laboratory', () => {
  it.each([
    [[], 'Send events, break things, and watch where they end. Nothing has run yet.'],
    [[run], '"Paid" is running.'],
    [[run, { ...run, title: 'Burst of 500' }], '2 experiments are running.'],
    [[{ ...ended, as_expected: true }], '"Paid" ended as expected.'],
    [[{ ...ended, as_expected: false }], '"Paid" ended not as expected.'],
    [
      [
        { ...ended, as_expected: true },
        { ...run, title: 'Refund' },
      ],
      '"Refund" is running.',
    ],
  ])('answers what runs, or how the latest run ended (%#)', (runs, sentence) => {
    expect(leadOf({ experiments: [], faults: [], runs })).toBe(sentence);
  });
});

it('a fault counts down to its end in whole seconds', () => {
  const fault = { experiment: 'burst', title: 'Broken', ends_at: '2026-11-22T12:00:10.000Z' } as const;
  const at = (time: string) => endOf(fault, Date.parse(time));
  expect(at('2026-11-22T12:00:04.500Z')).toBe('It ends by itself, in 6 s at the latest.');
  expect(at('2026-11-22T12:00:10.000Z')).toBe('It is ending.');
});

it('a step shows its time since the start of the run', () => {
  expect(timeIn(run, step)).toBe('+1.2 s');
});

describe('the link of a step', () => {
  it('is the id where the text has it', () => {
    expect(aroundId(step)).toEqual(['', ' is paid.']);
    expect(aroundId({ ...step, text: 'See lab-paid-x.' })).toEqual(['See ', '.']);
  });

  it('stands after a text without the id', () => {
    expect(aroundId({ ...step, text: 'as applied' })).toBeUndefined();
    expect(aroundId({ ...step, link: null })).toBeUndefined();
    expect(aroundId({ ...step, link: { page: 'waiting', id: '', mode: 'live' } })).toBeUndefined();
  });
});
