import { describe, expect, it } from 'vitest';
import { acknowledgedFindings } from '../../lib/acknowledged-findings.ts';

describe('every acknowledged finding', () => {
  const acknowledged = acknowledgedFindings.flatMap(({ rules, on }) =>
    rules.flatMap((rule) => on.map((place) => `${rule} on ${place}`)),
  );

  it('is acknowledged once', () => {
    expect(acknowledged.filter((one, index) => acknowledged.indexOf(one) !== index)).toEqual([]);
  });

  it('has a reason of at least one sentence', () => {
    const short = acknowledgedFindings.filter(({ reason }) => !/^[A-Z].{60,}\.$/.test(reason));
    expect(short.map(({ rules }) => rules)).toEqual([]);
  });
});
