import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CfnGuardValidator } from '@cdklabs/cdk-validator-cfnguard';
import { Annotations, App, CfnResource, Validations } from 'aws-cdk-lib';
import type { CloudAssembly } from 'aws-cdk-lib/cx-api';
import { AwsSolutionsChecks, NIST80053R5Checks, PCIDSS321Checks, ServerlessChecks } from 'cdk-nag';
import { readConfiguration } from '../../lib/configuration.ts';
import { PayhooksStack } from '../../lib/payhooks-stack.ts';
import { shippedContext } from '../doubles/shipped-context.ts';

type Settings = Readonly<Record<string, unknown>>;

/** What a rule says about a resource of a template. */
export interface Finding {
  readonly variant: string;
  readonly rule: string;
  readonly message: string;
  readonly type: string;
  /** The construct path, without the stack and `Default`. */
  readonly path: string;
}

/** The bus has the name of its stack, which cannot be `default`. */
const prefix = 'payhooks-';

export const configurationOf = (settings: Settings) =>
  readConfiguration((key) => settings[key] ?? shippedContext[key]);

/**
 * What AWS's template rules, AWS Control Tower's proactive controls and cdk-nag's packs find in the stacks of
 * these settings, which are synthesised into a folder without bundles. Throws for a warning of CDK, as `cdk synth
 * --strict` does.
 */
export function findingsIn(variants: Readonly<Record<string, Settings>>, outdir: string): Finding[] {
  // AWS's own rules are part of the audit; rules read properties that CDK has deprecated.
  Object.assign(process.env, { CDK_VALIDATION: 'true', JSII_DEPRECATED: 'quiet' });
  const context = {
    ...shippedContext,
    'aws:cdk:bundling-stacks': [],
    'aws:cdk:enable-path-metadata': true,
    // Otherwise CDK prints the findings and throws.
    '@aws-cdk/core:failSynthOnValidationErrors': false,
  };
  const app = new App({ outdir, context });
  for (const [name, settings] of Object.entries(variants)) {
    // Without it and without `paymentServiceBaseUrl`, the stack warns that nothing would notice silence.
    const configuration = configurationOf({ expectWebhooksWithin: '2d', ...settings });
    const stack = new PayhooksStack(app, `${prefix}${name}`, { configuration });
    Annotations.of(stack).acknowledgeWarning('payhooks:AlarmsUnread');
  }
  const nag = [AwsSolutionsChecks, ServerlessChecks, NIST80053R5Checks, PCIDSS321Checks];
  Validations.of(app).addPlugins(...nag.map((Pack) => new Pack(app)), new CfnGuardValidator());
  refuseWarnings(app.synth());
  const resources = app.node.findAll().filter((construct) => CfnResource.isCfnResource(construct));
  const types = new Map(resources.map(({ node, cfnResourceType }) => [node.path, cfnResourceType]));
  return reported(join(outdir, 'validation-report.json'), types);
}

function refuseWarnings({ stacks }: CloudAssembly): void {
  const warnings = stacks.flatMap(({ messages }) => messages).filter(({ level }) => level !== 'info');
  if (warnings.length === 0) return;
  throw new Error(`CDK warns:\n${warnings.map(({ id, entry }) => `${id}: ${entry.data}`).join('\n')}`);
}

/** The fields of CDK's validation report that are used here. */
interface Report {
  readonly pluginReports: readonly {
    readonly pluginName: string;
    readonly violations: readonly {
      readonly ruleName: string;
      readonly description: string;
      readonly violatingConstructs: readonly { readonly constructPath?: string }[];
    }[];
  }[];
}

const controlTower = 'cdk-validator-cfnguard';

function reported(file: string, types: ReadonlyMap<string, string>): Finding[] {
  const { pluginReports } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  return pluginReports.flatMap(({ pluginName, violations }) =>
    violations.flatMap(({ ruleName, description, violatingConstructs }) => {
      // cdk-nag adds what it found in brackets, with names of the stack. The widest of all is a rule of its own.
      const name = ruleName.replace(/\[(?!Resource::\*\]$).*\]$/s, '');
      const rule = pluginName === controlTower ? `${controlTower}::${name}` : name;
      return violatingConstructs.map(({ constructPath = '' }) => {
        const [stack = '', ...path] = constructPath.split('/');
        const variant = stack.slice(prefix.length);
        const type = types.get(constructPath) ?? '';
        return { variant, rule, type, path: path.join('/').replace(/^Default\//, ''), message: description };
      });
    }),
  );
}
