// A CDK app of a shop: payhooks, and a queue with every change of an order. In this repository:
//
//   npx cdk synth --app 'node examples/cdk-app/app.ts'
import { App, Duration, Stack } from 'aws-cdk-lib';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Queue, type QueueProps } from 'aws-cdk-lib/aws-sqs';
// In your app: from 'payhooks'
import { Payhooks } from '../../lib/payhooks.ts';

const app = new App();
const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env;
const stack = new Stack(app, 'Shop', account && region ? { env: { account, region } } : {});

const payments = new Payhooks(stack, 'Payments', {
  paymentServiceBaseUrl: 'https://api.payment-service.example',
  alarmEmail: 'oncall@shop.example',
  expectWebhooksWithin: Duration.hours(24),
});

const settings: QueueProps = { enforceSSL: true, retentionPeriod: Duration.days(14) };
// What EventBridge could not deliver, and what the shop could not handle: give both an alarm.
const undelivered = new Queue(stack, 'UndeliveredChanges', settings);
const unhandled = new Queue(stack, 'UnhandledChanges', settings);
const changes = new Queue(stack, 'OrderChanges', {
  ...settings,
  deadLetterQueue: { queue: unhandled, maxReceiveCount: 5 },
});
payments.onOrderStatusChanged('OrderChanges', {
  target: new SqsQueue(changes, { deadLetterQueue: undelivered }),
});

// The role of the functions that ship. They read a message by `parseOrderChange` of the order client, drop it
// unless its `sequence` is above the last one of the order, and ship when `isDeliverable(current)`.
const shipping = new Role(stack, 'Shipping', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
changes.grantConsumeMessages(shipping);
// `createOrderClient` signs with this role; the address is `payments.orderQueryUrl`.
payments.grantQuery(shipping);
