import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { expect, it, onTestFinished } from 'vitest';
import { runProgram } from '../bin/program.ts';
import { privateKey, requestsTo, sandboxKey } from '../local/pipeline/running-pipeline.ts';
import { startProcess } from './local-process.ts';

const root = join(import.meta.dirname, '../..');
const one = { orderId: 'order-1', transactionId: 'one' };

it('the order system in TypeScript ships an order once, and continues after a restart', async () => {
  const keys = ['--private-key', privateKey, '--sandbox-key', sandboxKey];
  const { baseUrl } = await startProcess('--no-demo', ...keys);
  const { post, order } = requestsTo(baseUrl);
  const folder = await mkdtemp(join(tmpdir(), 'payhooks-example-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  /** Runs the example until it has printed this. */
  async function runUntil(expected: string): Promise<void> {
    const program = 'examples/order-system-typescript/order-system.ts';
    const child = spawn(process.execPath, [program], {
      env: { ORDER_QUERY_URL: baseUrl, SHOP_DATABASE: join(folder, 'shop.db') },
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    await expect.poll(() => printed).toBe(expected);
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
  }

  await post(bytesOf(paidEvent({ ...one, eventId: 'paid' })));
  await order('order-1');
  await runUntil('order-1: ship it\n');
  await post(bytesOf(refundedEvent({ ...one, eventId: 'refunded' })));
  await order('order-1', ({ status }) => status === 'refunded');
  await post(bytesOf(paidEvent({ orderId: 'order-2' })));
  await order('order-2');
  await runUntil('order-1: shipped, and now refunded []: ask a person\norder-2: ship it\n');
});

it('the CDK app sends every change of a live order to its queue, or else to its dead letters', async () => {
  const { status, stderr, output, stack } = runProgram('examples/cdk-app/app.ts', {});
  onTestFinished(() => rm(output, { recursive: true }));
  expect([status, stderr]).toEqual([0, '']);
  const shop = stack('Shop');
  const arnOf = (queue: string) => ({ 'Fn::GetAtt': [shop.idAt(queue), 'Arn'] });
  const target = { Arn: arnOf('OrderChanges'), DeadLetterConfig: { Arn: arnOf('UndeliveredChanges') } };
  expect(shop.at('Payments/OrderChanges').Properties).toMatchObject({
    EventPattern: { source: ['payhooks'], 'detail-type': ['OrderStatusChanged'] },
    Targets: [target],
  });
});

it('the firewall passes requests on as they came, and no rule that blocks looks at a body', async () => {
  const { status, stderr, output, stack } = runProgram('examples/firewall/app.ts', {}, { validation: true });
  onTestFinished(() => rm(output, { recursive: true }));
  expect(stderr).not.toMatch(/error/i);
  expect(status).toBe(0);
  // biome-ignore lint/suspicious/noExplicitAny: a template is untyped.
  const only = (type: string): any => stack('firewall').only(`AWS::${type}`).Properties;
  expect(only('CloudFront::Distribution').DistributionConfig.DefaultCacheBehavior).toMatchObject({
    // The managed policies CachingDisabled and AllViewerExceptHostHeader.
    CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
    OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
    Compress: false,
    ViewerProtocolPolicy: 'https-only',
  });
  const webAcl = only('WAFv2::WebACL');
  const blocking = webAcl.Rules.filter(
    ({ OverrideAction }: { OverrideAction?: object }) => JSON.stringify(OverrideAction) !== '{"Count":{}}',
  );
  const Name = 'AWSManagedRulesAmazonIpReputationList';
  expect(blocking).toMatchObject([{ Name: 'OnlyWebhook' }, { Name: 'Rate' }, { Name }]);
  expect(JSON.stringify(blocking)).not.toMatch(/"(Body|JsonBody)"|Size/);
  expect(JSON.stringify(webAcl)).not.toContain('"SampledRequestsEnabled":true');
  const { RedactedFields } = only('WAFv2::LoggingConfiguration');
  expect(RedactedFields).toContainEqual({ SingleHeader: { Name: 'x-service-signature' } });
  const { LogGroupName, RetentionInDays } = only('Logs::LogGroup');
  const inventory = await readFile(join(root, 'docs/data.md'), 'utf8');
  const [row = ''] = /^\| log of the firewall \|.*$/m.exec(inventory) ?? [];
  expect(row).toContain(`\`${LogGroupName.replace('payhooks-production', 'DEPLOYMENT')}\``);
  expect(row).toContain(`| ${RetentionInDays} days |`);
});
