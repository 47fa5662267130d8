import { readConfiguration, refuseUnknownContext } from '../lib/configuration.ts';
import { PayhooksStack } from '../lib/payhooks-stack.ts';
import { synthesise } from './synthesis.ts';

synthesise((app) => {
  refuseUnknownContext(Object.keys(app.node.getAllContext()));
  // Set by the CDK CLI: the account and the region to which it deploys.
  const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env;
  const configuration = readConfiguration((key) => app.node.tryGetContext(key), { account, region });
  new PayhooksStack(app, `payhooks-${configuration.environmentName}`, { configuration });
});
