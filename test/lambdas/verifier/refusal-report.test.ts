import { describe, expect, it } from 'vitest';
import { createRefusalReport, type Refused } from '../../../lambdas/verifier/refusal-report.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';
import { setUpVerifier } from '../../doubles/verifier.ts';

const mismatch: Refused = {
  level: 'warn',
  message: 'webhook refused',
  metric: 'SignatureMismatch',
  fields: { request_id: 'request-1', status: 403, reason: 'mismatch' },
};
const missing: Refused = { ...mismatch, metric: 'SignatureUnreadable', fields: { reason: 'missing' } };

function setUp() {
  let time = Date.parse('2026-11-21T10:00:00.000Z');
  const telemetry = recordTelemetry();
  const report = createRefusalReport({ now: () => time, telemetry });
  return {
    telemetry,
    wait: (seconds: number) => {
      time += seconds * 1_000;
    },
    /** Requests that are refused, one after another. */
    refuse(times: number, refused = mismatch) {
      for (let number = 0; number < times; number += 1) {
        report.add(refused);
        report.flush();
      }
    },
    flush: () => report.flush(),
    counted: (metric: string) => telemetry.metrics.filter((name) => name === metric).length,
    sums: () => telemetry.lines.map(({ fields }) => fields['count'] ?? 1),
  };
}

describe('the report of refused webhooks', () => {
  it('sums up a flood: 55,000 refusals of a minute are 79 lines, and every one is counted', () => {
    const { refuse, wait, flush, counted, sums } = setUp();
    for (let tick = 0; tick < 1_000; tick += 1) {
      refuse(55);
      wait(0.059);
    }
    wait(1);
    flush();
    expect(counted('SignatureMismatch')).toBe(55_000);
    expect(sums().length).toBe(79);
    expect(sums().reduce<number>((sum, one) => sum + Number(one), 0)).toBe(55_000);
  });

  it('logs one by one again after a minute', () => {
    const { refuse, wait, counted, sums } = setUp();
    refuse(21);
    wait(60);
    refuse(1);
    expect(counted('SignatureMismatch')).toBe(22);
    expect(sums().slice(20).toSorted()).toEqual([1, 1]);
  });

  it('does not let one reason hide another', () => {
    const { refuse, counted } = setUp();
    refuse(500);
    refuse(2, missing);
    expect(counted('SignatureUnreadable')).toBe(2);
  });

  it('holds nothing back when the clock was set back', () => {
    const { refuse, wait, flush, counted } = setUp();
    refuse(30);
    wait(-3_600);
    flush();
    expect(counted('SignatureMismatch')).toBe(30);
  });
});

it('the verifier counts a flood of forgeries, with the next accepted webhook at the latest', async () => {
  const { clock, post, telemetry } = setUpVerifier();
  for (let number = 0; number < 100; number += 1)
    expect(await post({ signature: 'a'.repeat(64) })).toMatchObject({ statusCode: 403 });
  expect(telemetry.metrics.length).toBe(20);
  clock.seconds = 1;
  expect(await post()).toMatchObject({ statusCode: 202 });
  expect(telemetry.metrics).toEqual(Array(100).fill('SignatureMismatch'));
  expect(telemetry.lines.filter(({ message }) => message === 'webhook refused').length).toBe(21);
});
