import { afterEach, describe, expect, it, vi } from 'vitest';
import { stackName } from '../doubles/deployed-stack.ts';
import { startLocalStack } from '../doubles/local-stack.ts';
import { runPayhooks } from './payhooks-process.ts';
import { bothKeys, startSmoke } from './smoke-run.ts';

afterEach(() => vi.unstubAllEnvs());

vi.mock('../../cli/limits.ts', async (original) =>
  (await import('./short-limits.ts')).withShortLimits(original),
);

describe('payhooks smoke', () => {
  it('passes for a stack that is ready, and shows neither keys nor signatures', async () => {
    const { smoke } = await startSmoke();
    const { code, summary, stdout, stderr } = await smoke();
    expect(summary).toBe('16 checks: 16 passed, 0 failed, 0 skipped, 0 unanswered');
    expect([code, stderr]).toEqual([0, `${stackName} in us-east-1\n`]);
    expect(stdout).not.toMatch(/pri_|[0-9a-f]{64}/);
  });

  it('prints one document with --json', async () => {
    const { smoke, state } = await startSmoke();
    state.subscriptions = [];
    const { code, stdout } = await smoke('--json');
    const { checks, summary, stack, proven } = JSON.parse(stdout);
    expect([stack, proven, summary]).toEqual([
      stackName,
      true,
      { passed: 15, failed: 1, skipped: 0, unanswered: 0 },
    ]);
    expect(checks.find(({ name }: { readonly name: string }) => name === 'somebody is told')).toMatchObject({
      status: 'failed',
      message: 'nobody has subscribed to the alarm topic: nobody is told',
      fixes: [
        expect.stringContaining('aws sns subscribe --topic-arn arn:'),
        expect.stringContaining('alarmEmail'),
      ],
    });
    expect(code).toBe(1);
  });

  it('works against local mode, without what local mode has not', async () => {
    const { pipeline } = await startSmoke();
    const outputs = { WebhookUrl: `${pipeline.url}/webhooks/payments`, OrderQueryUrl: pipeline.url };
    const local = await startLocalStack({ keys: bothKeys, outputs });
    const { stdout } = await runPayhooks(['smoke', '--local', local.url]);
    expect(stdout).toContain('– stack                  local mode has no CloudFormation');
    expect(stdout).toContain('✓ signed payment');
  });

  it.each([
    ['UPDATE_ROLLBACK_COMPLETE', 'is UPDATE_ROLLBACK_COMPLETE'],
    ['UPDATE_IN_PROGRESS', 'is UPDATE_IN_PROGRESS'],
  ])('fails for a stack that is %s', async (status, said) => {
    const { smoke, state } = await startSmoke();
    state.status = status;
    const { code, lineOf } = await smoke();
    expect(lineOf('stack')).toBe(`✗ stack                  ${stackName} ${said}`);
    expect(code).toBe(1);
  });

  it('says what the operator may not ask, and calls it unanswered and not passed', async () => {
    const { smoke, state } = await startSmoke();
    state.forbidden = ['DescribeAlarms', 'ListSubscriptionsByTopic'];
    const { code, summary, lineOf } = await smoke();
    expect(lineOf('alarms are armed')).toMatch(/^\? .*not authorized to perform: DescribeAlarms/);
    expect(lineOf('alarms are quiet')).toMatch(/^– .*the alarms could not be read/);
    expect(lineOf('somebody is told')).toMatch(/^\? /);
    expect([code, summary]).toEqual([0, '16 checks: 13 passed, 0 failed, 1 skipped, 2 unanswered']);
  });

  it('ends with 4 when AWS cannot be reached', async () => {
    const { smoke } = await startSmoke();
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:1');
    expect((await smoke()).code).toBe(4);
  });

  it('ends with 1 and not 4 when something failed beside what cannot be reached', async () => {
    const { smoke, state } = await startSmoke();
    state.subscriptions = [];
    state.outputs['OrderQueryUrl'] = 'http://127.0.0.1:1';
    const { code, lineOf } = await smoke();
    expect(lineOf('order is paid')).toMatch(/^✗ /);
    expect([lineOf('somebody is told')?.slice(0, 1), code]).toEqual(['✗', 1]);
    state.subscriptions = ['arn:aws:sns:us-east-1:000000000000:alarms:1'];
    expect((await smoke()).code).toBe(4);
    // The other way round: what failed comes first.
    state.status = 'UPDATE_IN_PROGRESS';
    expect((await smoke()).code).toBe(1);
  });

  it('ends with 1 when nobody may ask for the order, for then nothing is proven', async () => {
    const { smoke, pipeline } = await startSmoke();
    pipeline.faults.isClosed = true;
    const { code, lineOf, summary } = await smoke();
    expect(lineOf('order is paid')).toMatch(/^\? .*execute-api:Invoke/);
    expect(summary).toBe(
      '16 checks: 11 passed, 0 failed, 1 skipped, 4 unanswered; ' +
        'the pipeline was not proven (order is paid unanswered)',
    );
    expect(code).toBe(1);
    expect(JSON.parse((await smoke('--json')).stdout)).toMatchObject({ proven: false });
  });

  it('fails for a stack that lacks outputs, and names them', async () => {
    const { smoke, state } = await startSmoke();
    const { OrderQueryInvokeArn: _, ...outputs } = state.outputs;
    state.outputs = outputs;
    const { code, lineOf } = await smoke();
    expect(lineOf('stack')).toBe(`✗ stack                  ${stackName} has no output OrderQueryInvokeArn`);
    expect(code).toBe(1);
  });
});
