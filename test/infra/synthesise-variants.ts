/**
 * `node test/infra/synthesise-variants.ts FOLDER` writes the template of every variant to
 * `FOLDER/<variant>/<stack>.template.json`, without bundles. It fails at the first finding of AWS's rules, which
 * `cdk synth` applies as well.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { acknowledgeFindings } from '../../lib/acknowledged-findings.ts';
import { readConfiguration } from '../../lib/configuration.ts';
import { PayhooksStack } from '../../lib/payhooks-stack.ts';
import { shippedContext } from '../doubles/shipped-context.ts';
import { variants } from './variants.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  throw new Error('No folder was given. Expected: node test/infra/synthesise-variants.ts FOLDER.');
}
for (const [name, settings] of Object.entries(variants)) {
  const outdir = join(folder, name);
  const app = new App({ outdir, context: { ...shippedContext, 'aws:cdk:bundling-stacks': [] } });
  const configuration = readConfiguration((key) => settings[key] ?? app.node.tryGetContext(key));
  const stack = new PayhooksStack(app, `payhooks-${configuration.environmentName}`, { configuration });
  acknowledgeFindings(stack, configuration);
  app.synth();
  const { pluginReports } = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8'));
  if (pluginReports.length > 0) {
    throw new Error(`AWS's rules refuse the variant ${name}: ${JSON.stringify(pluginReports, undefined, 2)}`);
  }
  process.stdout.write(`${join(outdir, stack.templateFile)}\n`);
}
