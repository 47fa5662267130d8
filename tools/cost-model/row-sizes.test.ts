import { describe, expect, it } from 'vitest';
import { realisticEvents } from './row-corpus.ts';
import { factBytes, rowSizes } from './row-sizes.ts';

describe('what an event leaves', () => {
  const [sample] = realisticEvents;
  it('is a row of one write unit up to a body of about a kilobyte, and of two for larger bodies of shops', () => {
    const sizes = realisticEvents.map(rowSizes);
    expect(sizes[0]).toMatchObject({ title: 'the sample event', bodyBytes: 907 });
    expect(sizes.map(({ bodyBytes, units }) => [bodyBytes > 1_000, units])).toEqual(
      sizes.map(({ bodyBytes }) => (bodyBytes > 1_000 ? [true, 2] : [false, 1])),
    );
  });

  it('is a fact of less than 200 bytes in the row of its order', () => {
    expect(sample && factBytes(sample)).toBeLessThan(200);
  });
});
