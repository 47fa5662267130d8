import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { App, CfnResource, Stack } from 'aws-cdk-lib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { variables } from '../../lambdas/contract/environment.ts';
import { shippedContext } from '../doubles/shipped-context.ts';
import type { Resource } from './synthesis.ts';

const root = join(import.meta.dirname, '../..');
const scratch = mkdtempSync(join(tmpdir(), 'payhooks-app-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Runs `bin/app.ts` as the CDK command line does, which hands over the context and a folder. */
function runApp(name: string, context: Readonly<Record<string, unknown>> = {}) {
  const output = join(scratch, name);
  const { status, stderr } = spawnSync(process.execPath, ['bin/app.ts'], {
    cwd: root,
    encoding: 'utf8',
    env: {
      ...process.env,
      // Another test file of this process may have switched AWS's rules off.
      CDK_VALIDATION: 'true',
      CDK_OUTDIR: output,
      CDK_CONTEXT_JSON: JSON.stringify({
        ...shippedContext,
        'aws:cdk:enable-asset-metadata': true,
        ...context,
      }),
    },
  });
  return { status, stderr, output };
}

describe('the app', () => {
  it('says what is wrong with the configuration, without a stack trace, and fails', () => {
    const { status, stderr, output } = runApp('refused', { keepData: 'perhaps', environmentName: 'Prod' });
    expect(status).toBe(1);
    expect(stderr).toContain('environmentName: given "Prod", expected 1 to 30 lower-case letters');
    expect(stderr).toContain('keepData: given "perhaps", expected true or false.');
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(existsSync(join(output, 'manifest.json'))).toBe(false);
  });

  it("fails when AWS's rules refuse the template", () => {
    vi.stubEnv('CDK_VALIDATION', 'true');
    const app = new App({ outdir: join(scratch, 'faulty'), context: shippedContext });
    const stack = new Stack(app, 'refused');
    new CfnResource(stack, 'Queue', {
      type: 'AWS::SQS::Queue',
      properties: { MessageRetentionPeriod: 'long' },
    });
    expect(() => app.synth()).toThrow(/MessageRetentionPeriod/);
    vi.unstubAllEnvs();
  });
});

/**
 * Measured 242,704 / 259,243 / 258,926 / 227,831 / 264,366 / 264,450 bytes; a cold start pays for each of
 * them. The last two are not on the path of a payment: they carry ky, 26 KB, which loads with the first call.
 */
const stages = [
  { stage: 'verifier', bytesMax: 260_000 },
  { stage: 'consumer', bytesMax: 280_000 },
  { stage: 'order-query', bytesMax: 280_000 },
  { stage: 'order-feed', bytesMax: 250_000 },
  { stage: 'webhook-audit', bytesMax: 270_000 },
  { stage: 'token-refresh', bytesMax: 270_000 },
];

/** Everything that is not deployed by default. */
const options = {
  paymentServiceBaseUrl: 'https://pay.example.com',
  paymentServiceAuthentication: 'oauth',
  webhookDomainName: 'hooks.example.com',
  webhookCertificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/one',
  webhookTruststoreUri: 's3://trust.example.com/authorities.pem',
  webhookTruststoreVersion: 'one',
};

describe('what is deployed', () => {
  let run: ReturnType<typeof runApp>;
  let template: { readonly Resources: Readonly<Record<string, Resource>> };
  beforeAll(() => {
    run = runApp('production', options);
    template = JSON.parse(readFileSync(join(run.output, 'payhooks-production.template.json'), 'utf8'));
  });

  /** The folder with a stage's code, found as local mode finds it. */
  function assetOf(stage: string): string {
    const found = Object.values(template.Resources).find(
      ({ Type, Properties }) =>
        Type === 'AWS::Lambda::Function' &&
        JSON.stringify(Properties['Environment']).includes(`"${variables.serviceName}":"${stage}"`),
    );
    return join(run.output, String(found?.Metadata['aws:asset:path']));
  }
  const codeOf = (stage: string): string => readFileSync(join(assetOf(stage), 'index.js'), 'utf8');

  it("passes AWS's rules without an error or a warning", () => {
    expect(run.status).toBe(0);
    const report: unknown = JSON.parse(readFileSync(join(run.output, 'validation-report.json'), 'utf8'));
    expect(report).toMatchObject({ pluginReports: [] });
    expect(run.stderr).not.toMatch(/warning|error/i);
  });

  it.each(stages)('is one file of CommonJS for the $stage', ({ stage }) => {
    expect(readdirSync(assetOf(stage))).toEqual(['index.js']);
    // A script knows neither `import` nor `export`: an ES module does not get past its parser.
    expect(() => new Script(codeOf(stage))).not.toThrow();
  });

  it.each(stages)('is at most $bytesMax bytes for the $stage', ({ stage, bytesMax }) => {
    expect(Buffer.byteLength(codeOf(stage))).toBeLessThanOrEqual(bytesMax);
  });

  it.each(stages)('holds no credential code for the $stage but what reads the environment', ({ stage }) => {
    expect(codeOf(stage)).toContain('AWS_SESSION_TOKEN');
    expect(codeOf(stage)).not.toMatch(/sso_start_url|credential_process|AssumeRoleWithWebIdentity|role_arn/);
  });

  it.each(stages)('names no folder of the machine that bundled the $stage', ({ stage }) => {
    expect(codeOf(stage)).not.toContain(root);
  });

  it.each(stages)('exports the handler of the $stage', ({ stage }) => {
    for (const variable of Object.values(variables)) vi.stubEnv(variable, '1');
    const loaded: unknown = createRequire(import.meta.url)(join(assetOf(stage), 'index.js'));
    expect(loaded).toMatchObject({ handler: expect.any(Function) });
    vi.unstubAllEnvs();
  });
});
