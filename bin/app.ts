import { App } from 'aws-cdk-lib';
import { acknowledgeFindings } from '../lib/acknowledged-findings.ts';
import { ConfigurationError, readConfiguration, refuseUnknownContext } from '../lib/configuration.ts';
import { PayhooksStack } from '../lib/payhooks-stack.ts';

const app = new App({ autoSynth: false });
try {
  refuseUnknownContext(Object.keys(app.node.getAllContext()));
  const configuration = readConfiguration((key) => app.node.tryGetContext(key));
  const stack = new PayhooksStack(app, `payhooks-${configuration.environmentName}`, { configuration });
  acknowledgeFindings(stack, configuration);
  app.synth();
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  // The operator has to fix a wrong setting; a stack trace would only hide the message that helps.
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
