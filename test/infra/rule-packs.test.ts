import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CfnGuardValidator } from '@cdklabs/cdk-validator-cfnguard';
import { App, CfnResource, type IPolicyValidationPlugin, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, NIST80053R5Checks, PCIDSS321Checks, ServerlessChecks } from 'cdk-nag';
import { afterAll, describe, expect, it } from 'vitest';
import { acknowledgedFindings, acknowledgeFindings } from '../../lib/acknowledged-findings.ts';
import { readConfiguration } from '../../lib/configuration.ts';
import { PayhooksStack } from '../../lib/payhooks-stack.ts';
import { shippedContext } from '../doubles/shipped-context.ts';
import { variants } from './variants.ts';

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
    readonly suppressedViolations?: readonly Violation[];
  }[];
}

interface Finding {
  /** The id that an acknowledgement uses. */
  readonly rule: string;
  /** The path of the resource, with its stack. */
  readonly path: string;
  readonly description: string;
}

const resourceTypes = new Map<string, string>();
const scratch = mkdtempSync(join(tmpdir(), 'payhooks-rule-packs-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const nag = (app: App): IPolicyValidationPlugin[] => [
  new AwsSolutionsChecks(app),
  new ServerlessChecks(app),
  new NIST80053R5Checks(app),
  new PCIDSS321Checks(app),
];

function synthesiseWith(
  plugins: (app: App) => IPolicyValidationPlugin[],
  { acknowledged }: { readonly acknowledged: boolean },
): { readonly open: Finding[]; readonly suppressed: Finding[] } {
  process.env['CDK_VALIDATION'] = 'false';
  const outdir = mkdtempSync(join(scratch, 'cdk.out-'));
  const context = {
    ...shippedContext,
    'aws:cdk:bundling-stacks': [],
    // Otherwise CDK prints the report and throws.
    '@aws-cdk/core:failSynthOnValidationErrors': false,
  };
  const app = new App({ outdir, context });
  for (const [variant, settings] of Object.entries(variants)) {
    const configuration = readConfiguration((key) => settings[key] ?? app.node.tryGetContext(key));
    const stack = new PayhooksStack(app, `payhooks-${variant}`, { configuration });
    if (acknowledged) acknowledgeFindings(stack, configuration);
    for (const construct of stack.node.findAll()) {
      if (!CfnResource.isCfnResource(construct)) continue;
      resourceTypes.set(construct.node.path, construct.cfnResourceType);
    }
  }
  Validations.of(app).addPlugins(...plugins(app));
  app.synth();
  const { pluginReports } = JSON.parse(
    readFileSync(join(outdir, 'validation-report.json'), 'utf8'),
  ) as Report;
  const findings = (kind: 'violations' | 'suppressedViolations'): Finding[] =>
    pluginReports.flatMap((report) =>
      (report[kind] ?? []).flatMap((violation) => findingsIn(violation, report.pluginName)),
    );
  return { open: findings('violations'), suppressed: findings('suppressedViolations') };
}

function findingsIn({ ruleName, description, violatingConstructs }: Violation, plugin: string): Finding[] {
  const rule = plugin === 'cdk-validator-cfnguard' ? `${plugin}::${ruleName}` : ruleName;
  return violatingConstructs.map(({ constructPath: path = '' }) => ({ rule, path, description }));
}

/** Every way in which an acknowledgement can name the place of a finding. */
function places({ path }: Finding): string[] {
  const [, ...parts] = path.split('/');
  return [resourceTypes.get(path) ?? '', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))];
}

/** With acknowledgements, cdk-nag omits findings from its report; the validator of Control Tower lists them. */
const unacknowledged = synthesiseWith(nag, { acknowledged: false });
const everyPack = (app: App) => [...nag(app), new CfnGuardValidator()];
const { open, suppressed } = synthesiseWith(everyPack, { acknowledged: true });
const all = [...unacknowledged.open, ...suppressed];

describe('the rule packs', () => {
  it.each(['AwsSolutions-', 'Serverless-', 'NIST.800.53.R5-', 'PCI.DSS.321-', 'cdk-validator-cfnguard::'])(
    'include %s',
    (prefix) => {
      expect(all.filter(({ rule }) => rule.startsWith(prefix))).not.toEqual([]);
    },
  );

  it('find nothing that is neither fixed nor acknowledged with a reason', () => {
    const lines = open.map(({ rule, path, description }) => `${rule} at ${path}: ${description}`);
    expect([...new Set(lines)].sort()).toEqual([]);
  });

  it('find tables without recovery only where keepData is false', () => {
    const recovery = all.filter(({ rule }) => rule === 'AwsSolutions-DDB3');
    expect(new Set(recovery.map(({ path }) => path.split('/')[0]))).toEqual(
      new Set(['payhooks-development']),
    );
  });
});

describe('every acknowledged finding', () => {
  const acknowledged = acknowledgedFindings.flatMap(({ rules, on }) =>
    rules.flatMap((rule) => on.map((place) => `${rule} on ${place}`)),
  );

  it('still occurs, because an unused acknowledgement would hide the next fault', () => {
    const occurring = new Set(
      all.flatMap((finding) => places(finding).map((place) => `${finding.rule} on ${place}`)),
    );
    expect(acknowledged.filter((one) => !occurring.has(one))).toEqual([]);
  });

  it('is acknowledged once', () => {
    expect(acknowledged.filter((one, index) => acknowledged.indexOf(one) !== index)).toEqual([]);
  });

  it('has a reason of at least one sentence', () => {
    const short = acknowledgedFindings.filter(({ reason }) => !/^[A-Z].{60,}\.$/.test(reason));
    expect(short.map(({ rules }) => rules)).toEqual([]);
  });
});
