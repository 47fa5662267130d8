import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CfnGuardValidator } from '@cdklabs/cdk-validator-cfnguard';
import { App, CfnResource, type Stack, Validations } from 'aws-cdk-lib';
import type { CloudAssembly } from 'aws-cdk-lib/cx-api';
import { AwsSolutionsChecks, NIST80053R5Checks, PCIDSS321Checks, ServerlessChecks } from 'cdk-nag';
import { readConfiguration } from '../../lib/configuration.ts';
import { PayhooksStack } from '../../lib/payhooks-stack.ts';
import { shippedContext } from '../doubles/shipped-context.ts';
import type { Place } from './acknowledged-findings.ts';
import type { Finding, Tool } from './judgement.ts';

export type Settings = Readonly<Record<string, unknown>>;
export type Variants = Readonly<Record<string, Settings>>;

/** The template of a variant. */
export interface Variant {
  readonly name: string;
  readonly template: string;
  /** The resources by logical id. */
  readonly places: ReadonlyMap<string, Place>;
}

interface Synthesised {
  readonly variants: readonly Variant[];
  /** What AWS's template rules, AWS Control Tower's proactive controls and cdk-nag's packs find. */
  readonly findings: readonly Finding[];
}

/** The bus has the name of its stack, which cannot be `default`. */
const prefix = 'payhooks-';

export const configurationOf = (settings: Settings) =>
  readConfiguration((key) => settings[key] ?? shippedContext[key]);

/** AWS's own rules are part of the audit; rules read properties that CDK has deprecated. */
export const auditVariables = { CDK_VALIDATION: 'true', JSII_DEPRECATED: 'quiet' };

/**
 * With `auditVariables` in the environment. Synthesises every variant once, without bundles, and writes the
 * templates to `folder/templates`. Throws for a warning of CDK, as `cdk synth --strict` does.
 */
export function synthesise(given: Variants, folder: string): Synthesised {
  const context = {
    ...shippedContext,
    'aws:cdk:bundling-stacks': [],
    'aws:cdk:enable-path-metadata': true,
    // Otherwise CDK prints the findings and throws.
    '@aws-cdk/core:failSynthOnValidationErrors': false,
  };
  const outdir = join(folder, 'assembly');
  const app = new App({ outdir, context });
  const stacks = Object.entries(given).map(([name, settings]) => {
    // Without it and without `paymentServiceBaseUrl`, the stack warns that nothing would notice silence.
    const configuration = configurationOf({ expectWebhooksWithin: '2d', ...settings });
    return new PayhooksStack(app, `${prefix}${name}`, { configuration });
  });
  const nag = [AwsSolutionsChecks, ServerlessChecks, NIST80053R5Checks, PCIDSS321Checks];
  Validations.of(app).addPlugins(...nag.map((Pack) => new Pack(app)), new CfnGuardValidator());
  const assembly = app.synth();
  refuseWarnings(assembly);
  const templates = join(folder, 'templates');
  mkdirSync(templates, { recursive: true });
  const variants = stacks.map((stack) => {
    const template = join(templates, stack.templateFile);
    copyFileSync(join(outdir, stack.templateFile), template);
    return { name: stack.node.id.slice(prefix.length), template, places: placesIn(stack) };
  });
  return { variants, findings: findingsIn(join(outdir, 'validation-report.json'), variants) };
}

function refuseWarnings({ stacks }: CloudAssembly): void {
  const warnings = stacks.flatMap(({ messages }) => messages).filter(({ level }) => level !== 'info');
  if (warnings.length === 0) return;
  throw new Error(`CDK warns:\n${warnings.map(({ id, entry }) => `${id}: ${entry.data}`).join('\n')}`);
}

function placesIn(stack: Stack): ReadonlyMap<string, Place> {
  const resources = stack.node.findAll().filter((construct) => CfnResource.isCfnResource(construct));
  const beginning = `${stack.node.path}/`.length;
  return new Map(
    resources.map((resource) => {
      const place = { type: resource.cfnResourceType, path: resource.node.path.slice(beginning) };
      return [`${stack.resolve(resource.logicalId)}`, place];
    }),
  );
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

/** What plugins are called here; every other one is a pack of cdk-nag. */
const toolNames: Readonly<Record<string, Tool>> = {
  [controlTower]: 'Control Tower',
  'CloudFormation Validate': 'AWS rules',
  'Construct Annotations': 'CDK',
};

function findingsIn(file: string, variants: readonly Variant[]): Finding[] {
  const types = new Map(
    variants.flatMap(({ name, places }) =>
      [...places.values()].map(({ path, type }) => [`${prefix}${name}/${path}`, type]),
    ),
  );
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
        const tool = toolNames[pluginName] ?? 'cdk-nag';
        return { tool, variant, rule, type, path: path.join('/'), message: description };
      });
    }),
  );
}
