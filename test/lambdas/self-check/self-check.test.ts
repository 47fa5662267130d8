import { describe, expect, it } from 'vitest';
import { createSelfCheck, type DeployedStack } from '../../../lambdas/self-check/self-check.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';

async function check({
  status = 'UPDATE_COMPLETE',
  safeguards,
}: Partial<DeployedStack> & Pick<DeployedStack, 'safeguards'>) {
  const telemetry = recordTelemetry();
  const count = await createSelfCheck({ readStack: async () => ({ status, safeguards }), telemetry })();
  const lines = telemetry.lines.map(({ level, message, fields }) => [level, message, fields['detail']]);
  return { count, lines, measured: telemetry.measured.map(({ metric, value }) => [metric, value]) };
}
const found = (name: string, ...faults: string[]) => ({ name, inspect: async () => faults });
const checked = ['notice', 'safeguards checked', undefined];

describe('the self-check', () => {
  it('counts what is not as it was deployed, with a line for each', async () => {
    const safeguards = [
      found('alarms'),
      found('queues', 'the queue a was deleted', 'the queue b was deleted'),
    ];
    expect(await check({ safeguards })).toEqual({
      count: 2,
      lines: [
        ['warn', 'safeguard off', 'the queue a was deleted'],
        ['warn', 'safeguard off', 'the queue b was deleted'],
        checked,
      ],
      measured: [['SafeguardsOff', 2]],
    });
  });

  it('counts zero, which ends the alarm, while all is as deployed, and during a deployment', async () => {
    const zero = { count: 0, lines: [checked], measured: [['SafeguardsOff', 0]] };
    expect(await check({ safeguards: [found('alarms')] })).toEqual(zero);
    const safeguards = [found('functions', 'the function a was changed')];
    expect(await check({ status: 'UPDATE_IN_PROGRESS', safeguards })).toEqual(zero);
  });

  it('counts a safeguard that it may not read, and reads the others', async () => {
    const refused = { name: 'tables', inspect: async () => Promise.reject(new Error('denied')) };
    const { count, lines } = await check({
      safeguards: [refused, found('queues', 'the queue a was deleted')],
    });
    expect(count).toBe(2);
    expect(lines).toContainEqual(['warn', 'safeguard not readable', undefined]);
    expect(lines).toContainEqual(['warn', 'safeguard off', 'the queue a was deleted']);
  });

  it('counts nothing when it cannot read the stack, so that its alarm fires for want of data', async () => {
    const telemetry = recordTelemetry();
    const readStack = async () => Promise.reject(new Error('CloudFormation is out'));
    await expect(createSelfCheck({ readStack, telemetry })()).rejects.toThrow('CloudFormation is out');
    expect(telemetry.measured).toEqual([]);
  });
});
