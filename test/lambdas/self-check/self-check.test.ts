import { describe, expect, it } from 'vitest';
import { createSelfCheck, type DeployedStack } from '../../../lambdas/self-check/self-check.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';

async function check({
  status = 'UPDATE_COMPLETE',
  safeguards,
}: Partial<DeployedStack> & Pick<DeployedStack, 'safeguards'>) {
  const telemetry = recordTelemetry();
  const run = createSelfCheck({ readStack: async () => ({ status, safeguards }), telemetry })();
  const outcome = await run.catch((error: Error) => error.message);
  const lines = telemetry.lines.map(({ level, message, fields }) => [level, message, fields['detail']]);
  return { outcome, lines };
}
const found = (name: string, ...faults: string[]) => ({ name, inspect: async () => faults });
const checked = ['notice', 'safeguards checked', undefined];

describe('the self-check', () => {
  it('fails when something is not as it was deployed, with a line for each', async () => {
    const safeguards = [
      found('alarms'),
      found('queues', 'the queue a was deleted', 'the queue b was deleted'),
    ];
    expect(await check({ safeguards })).toEqual({
      outcome: 'Not as it was deployed: 2; each has a line above.',
      lines: [
        ['warn', 'safeguard off', 'the queue a was deleted'],
        ['warn', 'safeguard off', 'the queue b was deleted'],
        checked,
      ],
    });
  });

  it('succeeds, which ends the alarm, while all is as deployed, and during a deployment', async () => {
    const zero = { outcome: undefined, lines: [checked] };
    expect(await check({ safeguards: [found('alarms')] })).toEqual(zero);
    const safeguards = [found('functions', 'the function a was changed')];
    expect(await check({ status: 'UPDATE_IN_PROGRESS', safeguards })).toEqual(zero);
  });

  it('counts a safeguard that it may not read, and reads the others', async () => {
    const refused = { name: 'tables', inspect: async () => Promise.reject(new Error('denied')) };
    const { outcome, lines } = await check({
      safeguards: [refused, found('queues', 'the queue a was deleted')],
    });
    expect(outcome).toMatch(/deployed: 2;/);
    expect(lines).toContainEqual(['warn', 'safeguard not readable', undefined]);
    expect(lines).toContainEqual(['warn', 'safeguard off', 'the queue a was deleted']);
  });

  it('fails when it cannot read the stack', async () => {
    const telemetry = recordTelemetry();
    const readStack = async () => Promise.reject(new Error('CloudFormation is out'));
    await expect(createSelfCheck({ readStack, telemetry })()).rejects.toThrow('CloudFormation is out');
  });
});
