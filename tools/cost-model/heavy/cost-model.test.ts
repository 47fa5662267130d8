import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { measureOtherBuilds, type OtherUsages } from '../../baseline/cost.ts';
import { dollarsFor, type Usage } from '../bill.ts';
import { costTables } from '../cost-tables.ts';
import { costDocument, dollars, updatedDocument } from '../documents.ts';
import { type Measurement, measureAll, type ScenarioName } from '../scenarios.ts';
import { indexWriteUnits, itemBytes, readUnits, writeUnits } from '../units.ts';

let measured: Measurement;
let others: OtherUsages;
beforeAll(async () => {
  measured = await measureAll();
  others = await measureOtherBuilds();
});

describe('the cost model', () => {
  it('computes every sum in docs/cost.md; if not, run npm run measure -- write', () => {
    const document = readFileSync(costDocument, 'utf8');
    expect(document).toBe(updatedDocument(costDocument, costTables(measured, others)));
    const prose = document.replaceAll(/<!-- measured: [\s\S]*?<!-- \/measured -->/g, '');
    expect(prose).not.toMatch(/\$\d|USD|\bcents?\b/);
    expect(() => updatedDocument(costDocument, {})).toThrow('without a table');
  });

  it.each<[ScenarioName, Usage]>([
    // The private key, and those of seals by verifier and consumer.
    ['firstRequest', { secretReads: 3 }],
    [
      'paid',
      {
        gatewayRequests: 1,
        invocations: 2,
        queueRequests: 3,
        eventWrites: 2,
        orderWrites: 1,
        indexWrites: 2,
      },
    ],
    ['paid', { reads: 0, secretReads: 0, logs: 0 }],
    ['duplicate', { queueRequests: 3, eventWrites: 1, orderWrites: 0, indexWrites: 0, reads: 3 }],
    ['refund', { eventWrites: 2, orderWrites: 1, indexWrites: 3, reads: 0 }],
    ['unassigned', { eventWrites: 2, orderWrites: 0, indexWrites: 2, reads: 0 }],
    // What follows for the refund that waited is a repair.
    ['latePayment', { eventWrites: 6, orderWrites: 3, indexWrites: 4, reads: 3 }],
    ['orderlessRefund', { eventWrites: 3, orderWrites: 1, indexWrites: 6, reads: 0 }],
    // Its writes but the first are in a transaction, and cost double.
    ['conflict', { eventWrites: 9, orderWrites: 2, indexWrites: 4, reads: 4 }],
    ['expiring', { eventWrites: 3, orderWrites: 1, indexWrites: 2, reads: 0, secretReads: 0 }],
    ['large', { gatewayRequests: 1, invocations: 2, queueRequests: 3 + 3 + 1, reads: 0 }],
    ['forged', { gatewayRequests: 1, invocations: 1, queueRequests: 0, eventWrites: 0, secretReads: 0 }],
    ['tenOrders', { queueRequests: 12, eventWrites: 20, orderWrites: 10 }],
    ['hot10', { queueRequests: 12, eventWrites: 20, orderWrites: 2, indexWrites: 11 }],
    ['emptyPage', { reads: 2 }],
    ['waiting', { invocations: 1, reads: 9, eventWrites: 0 }],
  ])('counts the billed units of the scenario "%s"', (name, usage) => {
    const { logs = 0, ...others } = measured.counted[name].usage;
    // The access log has some 90 bytes; what goes well logs nothing else.
    expect({ ...others, logs: logs * 2 ** 30 < 100 ? 0 : logs }).toMatchObject(usage);
  });

  it('counts what other builds write and read for an event, alone and in a batch of ten', () => {
    const counted = { gatewayRequests: 1, invocations: 2, queueRequests: 3, eventWrites: 1, orderWrites: 1 };
    expect(others.lean.one).toMatchObject({ ...counted, indexWrites: 0, reads: 0, logs: 0 });
    expect(others.usual.one).toMatchObject({ ...counted, indexWrites: 0, reads: 0.5 });
    expect(others.lean.ten).toMatchObject({ invocations: 1.1, queueRequests: 1.2, eventWrites: 1 });
  });

  it('counts an event on the bus for a change of an order, and an invocation for a batch of them', () => {
    expect(measured.counted.tenOrders.feed).toMatchObject({ invocations: 1, busEvents: 10 });
    expect(measured.counted.duplicate.feed).toMatchObject({ invocations: 0, busEvents: 0 });
  });

  it('rounds units of DynamoDB as AWS does, bills list prices, and rounds dollars to cents', () => {
    expect(dollarsFor({ queueRequests: 3, eventWrites: 1 }, 1_000_000)).toBeCloseTo(1.825, 10);
    expect(itemBytes({ id: { S: 'é€' }, b: { B: Buffer.alloc(10).toString('base64') } })).toBe(18);
    expect(itemBytes({ n: { N: '1795255200' }, facts: { SS: ['abc', 'de'] } })).toBe(17);
    expect([0, 1_024, 1_025, 2_049].map((bytes) => writeUnits(0, bytes))).toEqual([1, 1, 2, 3]);
    expect([writeUnits(5_000, 10), readUnits(4_097, true), readUnits(0, false)]).toEqual([5, 2, 0.5]);
    const index = { keys: ['at'], copied: ['why'] };
    const at = (time: string, why = 'a') => ({ at: { S: time }, why: { S: why } });
    const written = [{}, at('10:00'), at('10:00'), at('10:01'), at('10:01', 'b'), {}];
    const changes = written.slice(1).map((after, before) => indexWriteUnits(index, written[before], after));
    expect(changes).toEqual([1, 0, 2, 1, 1]);
    expect([0, 1.005, 1234.5, 0.0004].map(dollars)).toEqual(['$0.00', '$1.01', '$1,234.50', '$0.0004']);
  });
});
