import { App, Stack, Stage } from 'aws-cdk-lib';
import { AttributeType, type ITable, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { type IVpc, Vpc } from 'aws-cdk-lib/aws-ec2';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Payhooks } from '../../../lib/payhooks.ts';

// The app of a merchant, who shares what local mode must not reach or cannot run.
const app = new App({ analyticsReporting: true });
const stage = new Stage(app, 'Prod', { env: { account: '111122223333', region: 'eu-central-1' } });
const shop = new Stack(stage, 'Shop');
new Bucket(shop, 'Receipts');
const partitionKey = { name: 'id', type: AttributeType.STRING };
const orders = new Table(shop, 'Orders', { partitionKey, stream: StreamViewType.NEW_AND_OLD_IMAGES });
const payhooks = new Payhooks(shop, 'Payments', {
  paymentServiceBaseUrl: 'https://api.payment-service.example',
  paymentServiceAuthentication: 'oauth',
  // The casts: CDK's classes do not match its interfaces under exactOptionalPropertyTypes.
  ordersTable: orders as ITable,
  sequenceBase: 2_000_000_000,
  alarmTopic: new Topic(shop, 'Pages'),
  vpc: new Vpc(shop, 'Vpc', { natGateways: 1 }) as IVpc,
});
payhooks.onOrderStatusChanged('OrdersToShop', { target: new SqsQueue(new Queue(shop, 'Paid')) });
new Topic(new Stack(stage, 'Reports'), 'Monthly');
