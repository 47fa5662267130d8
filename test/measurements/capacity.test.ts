import { describe, expect, it } from 'vitest';
import { indexWriteUnits, itemBytes, readUnits, writeUnits } from './capacity.ts';

describe('the bytes of an item', () => {
  it('are those of its names and values, as UTF-8', () => {
    expect(itemBytes({ id: { S: 'order-1' } })).toBe(9);
    expect(itemBytes({ id: { S: 'é€' } })).toBe(7);
  });

  it('count bytes as they are, also where a request writes them as base64', () => {
    expect(itemBytes({ b: { B: new Uint8Array(10) } })).toBe(11);
    expect(itemBytes({ b: { B: Buffer.alloc(10).toString('base64') as unknown as Uint8Array } })).toBe(11);
  });

  it('sum the members of a set', () => {
    expect(itemBytes({ facts: { SS: ['abc', 'de'] } })).toBe(10);
  });

  it('take a number by half its digits', () => {
    expect(itemBytes({ n: { N: '1795255200' } })).toBe(7);
  });

  it('are not guessed for a type that no table here has', () => {
    expect(() => itemBytes({ m: { M: {} } })).toThrow(TypeError);
  });
});

describe('units', () => {
  it('of a write are whole kilobytes of 1,024 bytes, of the larger of old and new', () => {
    expect([0, 1, 1_024, 1_025, 2_048, 2_049].map((bytes) => writeUnits(0, bytes))).toEqual([
      1, 1, 1, 2, 2, 3,
    ]);
    expect(writeUnits(5_000, 10)).toBe(5);
  });

  it('of a read are 4 KB each, half where an old answer will do, and never nothing', () => {
    expect([0, 1, 4_096, 4_097].map((bytes) => readUnits(bytes, true))).toEqual([1, 1, 1, 2]);
    expect([0, 4_096, 4_097].map((bytes) => readUnits(bytes, false))).toEqual([0.5, 0.5, 1]);
  });
});

describe('an index of keys', () => {
  const index = { attributes: ['id', 'shard', 'at'] };
  const item = (at: string, status = 'paid') => ({
    id: { S: 'a' },
    shard: { S: '1' },
    at: { S: at },
    status: { S: status },
  });

  it('costs one write for a new entry', () => {
    expect(indexWriteUnits(index, undefined, item('10:00'))).toBe(1);
  });

  it('costs two for an entry that moves', () => {
    expect(indexWriteUnits(index, item('10:00'), item('10:01'))).toBe(2);
  });

  it('costs nothing for an attribute that it does not hold', () => {
    expect(indexWriteUnits(index, item('10:00'), item('10:00', 'refunded'))).toBe(0);
  });

  it('costs nothing for an item without its keys', () => {
    expect(indexWriteUnits(index, undefined, { id: { S: 'a' } })).toBe(0);
  });
});
