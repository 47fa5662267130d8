/** An app of somebody else: one stack with two deployments of payhooks and a queue of its own. */
import { App, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Payhooks } from '../../lib/payhooks.ts';
import { stackName } from './deployment.ts';

const app = new App();
const stack = new Stack(app, stackName);
// MiniStack runs each request under way in its own process, so few run at once.
const props = {
  removalPolicy: RemovalPolicy.DESTROY,
  consumerConcurrencyMax: 4,
  alarmEmail: 'a@example.com',
};
const [payments] = ['Payments', 'Refunds'].map((id) => new Payhooks(stack, id, props));
const queue = new Queue(stack, 'Changes', { removalPolicy: RemovalPolicy.DESTROY });
payments?.onOrderStatusChanged('ToQueue', { target: new SqsQueue(queue) });
app.synth();
