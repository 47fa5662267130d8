import { describe, expect, it } from 'vitest';
import { randomEvent, realisticEvents } from './row-corpus.ts';
import { factBytes, rowSizes } from './row-sizes.ts';

describe('the fact of an event', () => {
  it.each(realisticEvents)('of $title has at most 90 bytes in the row of its order', (event) => {
    expect(factBytes(event)).toBeLessThanOrEqual(90);
  });
});

describe('the compact row of an event', () => {
  it('of the sample has at most 560 bytes', () => {
    const [sample] = realisticEvents.map(rowSizes);
    expect(sample).toMatchObject({ title: 'the sample event', bodyBytes: 907, plainBytes: 1_005 });
    expect(sample?.compactBytes).toBeLessThanOrEqual(560);
  });

  it.each(realisticEvents.map(rowSizes))(
    'of $title, a body of $bodyBytes bytes, is one write unit',
    ({ bodyBytes, compactUnits }) => {
      expect([bodyBytes <= 1_800, compactUnits]).toEqual([true, 1]);
    },
  );

  it('is two write units for a kilobyte of random text, as it was', () => {
    expect(rowSizes(randomEvent)).toMatchObject({ plainUnits: 2, compactUnits: 2 });
  });

  it('is measured with bodies of up to 1.7 KB, most of which needed two write units before', () => {
    const sizes = realisticEvents.map(rowSizes);
    expect(sizes.filter(({ bodyBytes }) => bodyBytes > 1_600)).toHaveLength(3);
    expect(sizes.filter(({ plainUnits }) => plainUnits === 2)).toHaveLength(6);
  });
});
