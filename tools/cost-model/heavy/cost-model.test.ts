import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { billOf, sumOf, type Usage, withoutFeed } from '../bill.ts';
import { costTables } from '../cost-tables.ts';
import { documentPath, dollars, updatedDocument } from '../documents.ts';
import { limits } from '../payhooks.ts';
import { rateLimits, rowGrowth, scaleTables } from '../scale-tables.ts';
import { floodRequests, type Measurement, measureAll, type ScenarioName } from '../scenarios.ts';
import { steadyTraffic } from '../steady.ts';
import { indexWriteUnits, itemBytes, readUnits, writeUnits } from '../units.ts';

let measured: Measurement;
beforeAll(async () => {
  measured = await measureAll();
});

describe('the cost model', () => {
  it.each([
    ['cost', costTables],
    ['scale', scaleTables],
  ] as const)('computes every sum in docs/%s.md; if not, run npm run measure -- write', (name, tablesOf) => {
    const document = readFileSync(documentPath(name), 'utf8');
    expect(document).toBe(updatedDocument(name, tablesOf(measured)));
    const prose = document.replaceAll(/<!-- measured: [\s\S]*?<!-- \/measured -->/g, '');
    expect(prose).not.toMatch(/\$\d|USD|\bcents?\b/);
    expect(() => updatedDocument(name, {})).toThrow('without a table');
    expect(() => updatedDocument(name, { ...tablesOf(measured), other: '' })).toThrow('no block for: other');
  });

  const once = { gatewayRequests: 1, invocations: 2, queueRequests: 3, eventWrites: 1 };
  it.each<[ScenarioName, Usage]>([
    ['firstRequest', { secretReads: 1 }],
    [
      'paid',
      { ...once, eventWrites: 2, orderWrites: 1, indexWrites: 1, reads: 0, busEvents: 1, secretReads: 0 },
    ],
    ['duplicate', { ...once, orderWrites: 0, indexWrites: 0, reads: 3, busEvents: 0 }],
    ['refund', { ...once, eventWrites: 2, orderWrites: 1, indexWrites: 2, reads: 0, busEvents: 1 }],
    ['unassigned', { eventWrites: 2, orderWrites: 0, indexWrites: 1, reads: 0, feedInvocations: 0 }],
    ['latePayment', { eventWrites: 3, orderWrites: 1, indexWrites: 2, reads: 0, busEvents: 1 }],
    ['orderlessRefund', { eventWrites: 3, orderWrites: 1, indexWrites: 4, reads: 0, busEvents: 1 }],
    // Its writes but the first are in a transaction, and cost double.
    ['conflict', { eventWrites: 9, orderWrites: 2, indexWrites: 3, reads: 4, busEvents: 1 }],
    ['expiring', { eventWrites: 3, orderWrites: 1, indexWrites: 1, reads: 0, busEvents: 1, secretReads: 0 }],
    ['logged', { eventWrites: 2, reads: 0, busEvents: 1 }],
    ['large', { gatewayRequests: 1, invocations: 2, queueRequests: 3 + 3 + 1, reads: 0, busEvents: 1 }],
    ['forged', { gatewayRequests: 1, invocations: 1, queueRequests: 0, eventWrites: 0, secretReads: 0 }],
    ['tenOrders', { queueRequests: 12, eventWrites: 20, orderWrites: 10, feedInvocations: 1 }],
    ['hot10', { queueRequests: 12, eventWrites: 20, orderWrites: 2, indexWrites: 1, busEvents: 1 }],
    ['emptyPage', { reads: 8 }],
    ['waiting', { invocations: 1, reads: 6, eventWrites: 0 }],
  ])('counts the billed units of the scenario "%s"', (name, usage) => {
    expect(measured.counted[name].usage).toMatchObject(usage);
  });

  it('counts no byte of a log line for what goes well, at any stage', () => {
    for (const name of ['paid', 'refund', 'duplicate', 'tenOrders', 'expiring'] as const) {
      const { functionLogs, platformLogs, feedLogs } = measured.counted[name].usage;
      expect([functionLogs, platformLogs, feedLogs], name).toEqual([0, 0, 0]);
    }
    const { functionLogs = 0, platformLogs = 0, feedLogs = 0 } = measured.counted.logged.usage;
    expect(Math.min(functionLogs, platformLogs, feedLogs) * 2 ** 30).toBeGreaterThan(300);
  });

  it('computes what steady traffic costs: at most $4.70 a million at 10/s and $4.40 at 100/s', () => {
    const { shipped } = steadyTraffic(measured);
    const at = (rate: number) => shipped.find(({ perSecond }) => perSecond === rate);
    expect([at(10)?.events, at(10)?.changes, at(100)?.events, at(100)?.changes]).toEqual([
      3, 1.625, 10, 7.25,
    ]);
    expect(at(10)?.core).toBeLessThanOrEqual(4.7);
    expect(at(10)?.whole).toBeLessThanOrEqual(5.9);
    expect(at(100)?.core).toBeLessThanOrEqual(4.4);
    expect(at(100)?.whole).toBeLessThanOrEqual(5.5);
  });

  it('counts at most 20 bytes of lines for a forgery of a flood', () => {
    const { functionLogs = 0 } = measured.counted.flood.usage;
    expect((functionLogs * 2 ** 30) / floodRequests).toBeLessThan(20);
  });

  it('extrapolates the row of an order by its facts, up to the 400 KB of an item', () => {
    const { factsMax, rowBytes } = rowGrowth(measured);
    const row = measured.counted.hot30.calls.find(({ key }) => key === 'live:order:order-hot')?.itemBytes;
    expect([rowBytes(30), factsMax]).toEqual([row, 2_729]);
  });

  it('orders the limits by rate; docs/scale.md names only alarms and settings that exist', () => {
    const rates = rateLimits(measured).map(([rate]) => rate);
    expect(rates).toEqual([168, 833, 1000, 2020, 4082, 8333, 10000, 10204, 15534, 16779, 20202]);
    const read = (file: string): string =>
      readFileSync(join(documentPath('scale'), '..', '..', file), 'utf8');
    const names = [...read('docs/scale.md').matchAll(/`([A-Z][a-z]+[A-Z]\w+|[a-z]+[A-Z]\w+)`/g)];
    const known = read('docs/runbook.md') + read('lib/settings.ts') + Object.keys(limits);
    const definition = (name = ''): string => (/^[A-Z]/.test(name) ? `\n## ${name}\n` : name);
    expect(names.length).toBeGreaterThan(8);
    expect(names.filter(([, name]) => !known.includes(definition(name)))).toEqual([]);
  });

  it.each<[Usage, number, number]>([
    [{}, 0, 0],
    [{ queueRequests: 3_000_000, eventWrites: 1_000_000 }, 1.825, 1.825],
    [{ busEvents: 1_000_000, feedInvocations: 1_000_000, gigabyteSeconds: 3_000 }, 1.2400002, 0.0400002],
  ])('bills %o at list prices: %d dollars, %d of them without the feed', (usage, all, received) => {
    expect(sumOf(billOf(usage))).toBeCloseTo(all, 10);
    expect(sumOf(withoutFeed(billOf(usage)))).toBeCloseTo(received, 10);
  });

  it('rounds units of DynamoDB as AWS does, and dollars to cents', () => {
    expect(itemBytes({ id: { S: 'é€' }, b: { B: Buffer.alloc(10).toString('base64') } })).toBe(18);
    expect(itemBytes({ n: { N: '1795255200' }, facts: { SS: ['abc', 'de'] } })).toBe(17);
    expect([0, 1_024, 1_025, 2_049].map((bytes) => writeUnits(0, bytes))).toEqual([1, 1, 2, 3]);
    expect([writeUnits(5_000, 10), readUnits(4_097, true), readUnits(0, false)]).toEqual([5, 2, 0.5]);
    const [early, late] = [{ at: { S: '10:00' } }, { at: { S: '10:01' } }];
    const moves = [indexWriteUnits(['at'], {}, early), indexWriteUnits(['at'], early, late)];
    expect([...moves, indexWriteUnits(['at'], early, early)]).toEqual([1, 2, 0]);
    expect([0, 1.005, 1234.5, 0.0004].map(dollars)).toEqual(['$0.00', '$1.01', '$1,234.50', '$0.0004']);
  });
});
