import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CfnGuardValidator } from '@cdklabs/cdk-validator-cfnguard';
import { App, CfnResource, type IPolicyValidationPlugin, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, NIST80053R5Checks, PCIDSS321Checks, ServerlessChecks } from 'cdk-nag';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { acknowledgedFindings, acknowledgeFindings } from '../../lib/acknowledged-findings.ts';
import { readConfiguration } from '../../lib/configuration.ts';
import { PayhooksStack } from '../../lib/payhooks-stack.ts';
import { shippedContext } from '../doubles/shipped-context.ts';
import { everySetting } from './every-setting.ts';

/** What is thrown away, and what is kept, with every resource that a setting can add. */
const environments = [
  { environmentName: 'thrown-away', keepData: false },
  { ...everySetting, environmentName: 'complete' },
];

interface Finding {
  /** As an acknowledgement names it. */
  readonly rule: string;
  /** The resource, with its stack. */
  readonly path: string;
  readonly description: string;
}

/** The parts of CDK's report that are read here. */
interface Report {
  readonly pluginReports: readonly {
    readonly pluginName: string;
    readonly conclusion: string;
    readonly violations: readonly {
      readonly ruleName: string;
      readonly description: string;
      readonly violatingConstructs: readonly { readonly constructPath?: string }[];
    }[];
  }[];
}

const kinds = new Map<string, string>();
const scratch = mkdtempSync(join(tmpdir(), 'payhooks-rule-packs-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Runs every pack over the environments, beside AWS's own rules, as CDK does at synthesis. */
function findings(name: string, acknowledged: boolean): Finding[] {
  // Another test file of this process may have switched AWS's rules off.
  vi.stubEnv('CDK_VALIDATION', 'true');
  const app = new App({
    outdir: join(scratch, name),
    context: {
      ...shippedContext,
      'aws:cdk:bundling-stacks': [],
      // The report is read below; CDK would print it and throw.
      '@aws-cdk/core:failSynthOnValidationErrors': false,
    },
  });
  for (const settings of environments as Readonly<Record<string, unknown>>[]) {
    const configuration = readConfiguration((key) => settings[key] ?? app.node.tryGetContext(key));
    const stack = new PayhooksStack(app, configuration.environmentName, { configuration });
    if (acknowledged) acknowledgeFindings(stack, configuration);
    for (const construct of stack.node.findAll()) {
      if (CfnResource.isCfnResource(construct)) kinds.set(construct.node.path, construct.cfnResourceType);
    }
  }
  Validations.of(app).addPlugins(...packs(app));
  app.synth();
  vi.unstubAllEnvs();
  return read(join(scratch, name, 'validation-report.json'));
}

const packs = (app: App): IPolicyValidationPlugin[] => [
  new AwsSolutionsChecks(app),
  new ServerlessChecks(app),
  new NIST80053R5Checks(app),
  new PCIDSS321Checks(app),
  new CfnGuardValidator(),
];

function read(file: string): Finding[] {
  const { pluginReports } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  return pluginReports.flatMap(({ pluginName, violations }) =>
    violations.flatMap(({ ruleName, description, violatingConstructs }) =>
      violatingConstructs.map(({ constructPath = '' }) => ({
        rule: pluginName === 'cdk-validator-cfnguard' ? `${pluginName}::${ruleName}` : ruleName,
        path: constructPath,
        description,
      })),
    ),
  );
}

/** Everything that an acknowledgement could call the place of a finding. */
function places({ path }: Finding): string[] {
  const [, ...parts] = path.split('/');
  return [kinds.get(path) ?? '', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))];
}

describe('the rule packs', () => {
  let raw: Finding[];
  let left: Finding[];
  beforeAll(() => {
    raw = findings('raw', false);
    left = findings('acknowledged', true);
  });

  it('run, each of them: every one has something to say about the bare stack', () => {
    const prefixes = [
      'AwsSolutions-',
      'Serverless-',
      'NIST.800.53.R5-',
      'PCI.DSS.321-',
      'cdk-validator-cfnguard::',
    ];
    expect(prefixes.filter((prefix) => !raw.some(({ rule }) => rule.startsWith(prefix)))).toEqual([]);
  });

  it('find nothing, in any environment, that is neither mended nor acknowledged with a reason', () => {
    const unexplained = left.map(({ rule, path, description }) => `${rule} at ${path}: ${description}`);
    expect([...new Set(unexplained)].sort()).toEqual([]);
  });

  it('still find everything that is acknowledged: a dead acknowledgement would hide the next fault', () => {
    const dead = acknowledgedFindings.flatMap(({ rules, on, onlyWithoutData }) =>
      rules.flatMap((rule) =>
        on
          .filter((place) => !raw.some((finding) => finding.rule === rule && places(finding).includes(place)))
          .map((place) => `${rule} on ${place}${onlyWithoutData === true ? ', without data' : ''}`),
      ),
    );
    expect(dead).toEqual([]);
  });

  it('are told a reason of at least one whole sentence each time', () => {
    const short = acknowledgedFindings.filter(({ reason }) => !/^[A-Z].{60,}\.$/.test(reason));
    expect(short.map(({ rules }) => rules)).toEqual([]);
  });

  it('forgive nothing twice', () => {
    const all = acknowledgedFindings.flatMap(({ rules, on }) =>
      rules.flatMap((rule) => on.map((place) => `${rule} on ${place}`)),
    );
    expect(all.filter((one, index) => all.indexOf(one) !== index)).toEqual([]);
  });

  it('forgive tables without recovery only where data is not kept', () => {
    const recovery = raw
      .filter(({ rule }) => rule === 'AwsSolutions-DDB3')
      .map(({ path }) => path.split('/')[0]);
    expect(new Set(recovery)).toEqual(new Set(['thrown-away']));
    expect(acknowledgedFindings.filter((one) => one.onlyWithoutData).flatMap(({ rules }) => rules)).toContain(
      'AwsSolutions-DDB3',
    );
  });
});
