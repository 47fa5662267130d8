import { App } from 'aws-cdk-lib';
import { acknowledgeFindings } from '../lib/acknowledged-findings.ts';
import { readConfiguration, refuseUnknownContext } from '../lib/configuration.ts';
import { ConfigurationError } from '../lib/configuration-error.ts';
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
  // A wrong setting is the operator's to mend; a stack trace would only hide the sentence that helps.
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
