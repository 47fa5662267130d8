import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../acceptance/pipeline.ts';
import { type DeployedPipeline, openPipeline } from './deployed-pipeline.ts';
import {
  bootstrap,
  clientOptions,
  type Deployment,
  deployAssembly,
  physicalId,
  stackName,
  synthesiseApp,
} from './deployment.ts';
import { type MiniStack, startMiniStack } from './ministack.ts';
import { typePayhooks } from './typed-command.ts';

let ministack: MiniStack;
let deployment: Deployment;
let payments: DeployedPipeline;
let refunds: DeployedPipeline;

/** One of the two, whose outputs begin with its id. */
function open(id: string): DeployedPipeline {
  const own = Object.entries(deployment.outputs).filter(([key]) => key.startsWith(id));
  return openPipeline(ministack, {
    ...deployment,
    outputs: Object.fromEntries(own.map(([key, value]) => [key.slice(id.length), value])),
  });
}

beforeAll(async () => {
  ministack = await startMiniStack();
  await bootstrap(ministack);
  deployment = await deployAssembly(ministack, await synthesiseApp(ministack, 'shared-stack-app.ts'));
  payments = open('Payments');
  refunds = open('Refunds');
});
afterAll(async () => {
  payments?.close();
  refunds?.close();
  await ministack?.stop();
});

it('two deployments in one stack share no key, no event and no order', async () => {
  const body = bytesOf(paidEvent({ orderId: 'shared', eventId: 'evt-shared' }));
  await payments.putPrivateKeys();
  await eventually(
    () => payments.post(body),
    ({ status }) => status === 202,
  );
  expect(await refunds.post(body)).toMatchObject({ status: 503 });
  expect(await payments.order('shared', ({ status }) => status === 'paid')).toMatchObject({ attention: [] });
  expect(await refunds.get('/orders/shared')).toMatchObject({ status: 404 });
});

it('a rule of one of them sends the changes of its orders to a queue of the app', async () => {
  const sqs = new SQSClient(clientOptions(ministack));
  const receive = new ReceiveMessageCommand({ QueueUrl: await physicalId(ministack, 'Changes') });
  const { Messages = [] } = await eventually(
    () => sqs.send(receive),
    ({ Messages: found }) => found !== undefined,
  );
  sqs.destroy();
  expect(JSON.parse(`${Messages[0]?.Body}`)).toMatchObject({
    'detail-type': 'OrderStatusChanged',
    detail: { order_id: 'shared', current: { status: 'paid' } },
  });
});

it('the command line works on the one that is named, and shows no alarm or table of the other', async () => {
  const both = await typePayhooks(ministack, ['status', '--stack', stackName]);
  expect(both).toMatchObject({ code: 2 });
  expect(both.stderr).toContain(`--stack ${stackName}/Payments\n  --stack ${stackName}/Refunds`);
  const one = await typePayhooks(ministack, ['status', '--json', '--stack', `${stackName}/Refunds`]);
  const { alarms, faults } = JSON.parse(one.stdout);
  expect(JSON.stringify([alarms, faults])).not.toContain('Payments');
  expect(JSON.stringify(faults)).toContain('Refunds');
});
