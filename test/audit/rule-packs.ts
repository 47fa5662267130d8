import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CfnGuardValidator } from '@cdklabs/cdk-validator-cfnguard';
import { App, CfnResource, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, NIST80053R5Checks, PCIDSS321Checks, ServerlessChecks } from 'cdk-nag';
import { acknowledgeFindings } from '../../lib/acknowledged-findings.ts';
import { readConfiguration } from '../../lib/configuration.ts';
import { PayhooksStack } from '../../lib/payhooks-stack.ts';
import { shippedContext } from '../doubles/shipped-context.ts';
import type { Finding } from './judgement.ts';

export type Settings = Readonly<Record<string, unknown>>;

interface Violation {
  readonly ruleName: string;
  readonly description: string;
  readonly violatingConstructs: readonly { readonly constructPath?: string }[];
}

/** The fields of CDK's validation report that are used here. */
interface Report {
  readonly pluginReports: readonly {
    readonly pluginName: string;
    readonly violations: readonly Violation[];
  }[];
}

const controlTower = 'cdk-validator-cfnguard';

/** What cdk-nag's packs and AWS Control Tower's proactive controls find in the stacks of variants, by name. */
export function runRulePacks(
  variants: Readonly<Record<string, Settings>>,
  { acknowledged = false } = {},
): readonly Finding[] {
  // AWS's own template rules take long, and run where the app itself is synthesised.
  process.env['CDK_VALIDATION'] = 'false';
  const outdir = mkdtempSync(join(tmpdir(), 'payhooks-rule-packs-'));
  const context = {
    ...shippedContext,
    'aws:cdk:bundling-stacks': [],
    // Otherwise CDK prints the report and throws.
    '@aws-cdk/core:failSynthOnValidationErrors': false,
  };
  try {
    const app = new App({ outdir, context });
    const types = new Map<string, string>();
    for (const [name, settings] of Object.entries(variants)) {
      const configuration = readConfiguration((key) => settings[key] ?? app.node.tryGetContext(key));
      const stack = new PayhooksStack(app, name, { configuration });
      if (acknowledged) acknowledgeFindings(stack, configuration);
      for (const construct of stack.node.findAll()) {
        if (CfnResource.isCfnResource(construct)) types.set(construct.node.path, construct.cfnResourceType);
      }
    }
    const nag = [AwsSolutionsChecks, ServerlessChecks, NIST80053R5Checks, PCIDSS321Checks];
    Validations.of(app).addPlugins(...nag.map((Pack) => new Pack(app)), new CfnGuardValidator());
    app.synth();
    const report = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8')) as Report;
    return findingsIn(report, types);
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

function findingsIn({ pluginReports }: Report, types: ReadonlyMap<string, string>): Finding[] {
  return pluginReports.flatMap(({ pluginName, violations }) =>
    violations.flatMap(({ ruleName, description, violatingConstructs }) => {
      const isControl = pluginName === controlTower;
      return violatingConstructs.map(({ constructPath = '' }) => {
        const [variant = '', ...path] = constructPath.split('/');
        return {
          tool: isControl ? 'Control Tower' : 'cdk-nag',
          variant,
          rule: isControl ? `${controlTower}::${ruleName}` : ruleName,
          type: types.get(constructPath) ?? '',
          path: path.join('/'),
          message: description,
        };
      });
    }),
  );
}
