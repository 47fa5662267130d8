import { App } from 'aws-cdk-lib';
import { ConfigurationError, readConfiguration, refuseUnknownContext } from '../lib/configuration.ts';
import { PayhooksStack } from '../lib/payhooks-stack.ts';

const app = new App({ autoSynth: false });
try {
  refuseUnknownContext(Object.keys(app.node.getAllContext()));
  // Set by the CDK CLI: the account and the region to which it deploys.
  const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env;
  const configuration = readConfiguration((key) => app.node.tryGetContext(key), { account, region });
  new PayhooksStack(app, `payhooks-${configuration.environmentName}`, { configuration });
  app.synth();
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  // The operator has to fix a wrong setting; a stack trace would only hide the message that helps.
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
