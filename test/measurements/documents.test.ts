import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bitesOf } from './bites.ts';
import { documentNames, filledDocument, readDocument } from './documents.ts';
import { factsMax, growthOf, mergeUnitsAt, rowBytesAt } from './hot-order.ts';
import { type Measurement, measureAll } from './measurement.ts';
import { spreadOf } from './shard-spread.ts';

let measured: Measurement;
beforeAll(async () => {
  measured = await measureAll();
}, 60_000);

const withoutTables = (text: string): string =>
  text.replaceAll(/<!-- measured: [\s\S]*?<!-- \/measured -->/g, '');

describe.each(documentNames)('docs/%s.md', (name) => {
  it('says what the model computes: npm run measure -- write', () => {
    expect(readDocument(name)).toBe(filledDocument(name, measured));
  });

  it('has no sum of money but in its tables', () => {
    expect(withoutTables(readDocument(name))).not.toMatch(/\$\d|USD|\bcents?\b/);
  });
});

describe('the limits that bite', () => {
  const bites = () => bitesOf(measured.scenarios, measured.settings, spreadOf(1_000));
  const named = (texts: readonly string[], pattern: RegExp): string[] => [
    ...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name))),
  ];
  const source = (path: string): string => readFileSync(join(import.meta.dirname, '..', '..', path), 'utf8');

  it('ring alarms that the runbook has a section for', () => {
    const alarms = named(
      bites().map(({ seen }) => seen),
      /`([A-Z]\w+)`/g,
    );
    const runbook = source('docs/runbook.md');
    expect(alarms.length).toBeGreaterThanOrEqual(4);
    expect(alarms.filter((alarm) => !runbook.includes(`\n## ${alarm}\n`))).toEqual([]);
  });

  it('are raised by settings and bounds that are there', () => {
    const settings = named(
      bites().map(({ raised }) => raised),
      /`([a-z]\w+)`/g,
    );
    const known = source('lib/configuration.ts') + source('lambdas/contract/limits.ts');
    expect(settings.length).toBeGreaterThanOrEqual(4);
    expect(settings.filter((setting) => !new RegExp(`\\b${setting}\\b`).test(known))).toEqual([]);
  });

  it('stand in the order of their rates', () => {
    const rates = bites().map(({ webhooksPerSecond }) => webhooksPerSecond);
    expect(rates).toEqual(rates.toSorted((one, other) => one - other));
    expect(Math.round(rates[0] ?? 0)).toBe(168);
  });
});

describe('what is measured of one event', () => {
  it('is one request, three invocations, three requests of the queue and three writes', () => {
    expect(measured.scenarios.usages.paid).toMatchObject({
      gatewayRequests: 1,
      invocations: { verifier: 1, consumer: 1, 'order-feed': 1 },
      queueRequests: 3,
      eventWriteUnits: 1,
      orderWriteUnits: 1,
      indexWriteUnits: 1,
      readUnits: 0,
      busEvents: 1,
      secretReads: 0,
    });
  });

  it('is two refused writes for a second delivery, and nothing on the bus', () => {
    const { eventWriteUnits, orderWriteUnits, indexWriteUnits, readUnits, busEvents } =
      measured.scenarios.usages.duplicate;
    expect([eventWriteUnits, orderWriteUnits, indexWriteUnits, readUnits, busEvents]).toEqual([
      1, 1, 0, 0, 0,
    ]);
  });

  it('moves the entry in the index and writes the status for a refund', () => {
    const { orderWriteUnits, indexWriteUnits } = measured.scenarios.usages.refund;
    expect([orderWriteUnits, indexWriteUnits]).toEqual([2, 2]);
  });

  it('ends in the verifier for a forged request, without a call of AWS', () => {
    const { forged } = measured.scenarios.usages;
    expect(forged.invocations).toEqual({ verifier: 1 });
    expect(forged.queueRequests + forged.secretReads + forged.eventWriteUnits).toBe(0);
  });

  it('fetches the secret with the first request of a verifier, and not with the next', () => {
    expect(measured.scenarios.usages.firstRequest.secretReads).toBe(1);
  });

  it('asks every shard for a page that is empty', () => {
    expect(measured.scenarios.emptyPage).toEqual({ calls: 16, readUnits: 8 });
  });
});

describe('a hot order', () => {
  it('grows by one fact at a time, and its merges by its size', () => {
    const growth = growthOf(measured.hotOrder.merges);
    for (const { facts, rowBytes, tableWriteUnits } of measured.hotOrder.merges) {
      expect([rowBytesAt(growth, facts), mergeUnitsAt(growth, facts)]).toEqual([rowBytes, tableWriteUnits]);
    }
    expect(factsMax(growth)).toBe(2_676);
  });

  it('is refused as a line where its rows are on none', () => {
    const merge = (facts: number, rowBytes: number) => ({
      facts,
      rowBytes,
      tableWriteUnits: 1,
      indexWriteUnits: 1,
    });
    expect(() => growthOf([merge(1, 100), merge(2, 150), merge(3, 300)])).toThrow('2 facts has 150 bytes');
  });

  it('takes one merge for a batch of its own, and a batch of ten orders ten', () => {
    expect(measured.hotOrder.calls).toEqual({ PutItem: 10, UpdateItem: 1, PutEvents: 1 });
    expect(measured.scenarios.tenPaidCalls).toMatchObject({ PutItem: 10, UpdateItem: 10, PutEvents: 1 });
  });
});

describe('the shards of the index', () => {
  it('get numbered orders evenly: the fullest of 16 has 2 % more than the mean', () => {
    const { fewest, most, unevenness } = spreadOf(100_000);
    expect([fewest, most]).toEqual([6_063, 6_337]);
    expect(unevenness).toBeCloseTo(1.014, 3);
  });
});
