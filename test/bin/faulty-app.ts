/** An app whose template AWS's rules refuse. */
import { App, CfnResource, Stack } from 'aws-cdk-lib';

const app = new App();
const properties = { MessageRetentionPeriod: 'long' };
new CfnResource(new Stack(app, 'refused'), 'Queue', { type: 'AWS::SQS::Queue', properties });
app.synth();
