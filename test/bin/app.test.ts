import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { variables } from '../../lambdas/contract/environment.ts';
import { everySetting } from '../lib/every-setting.ts';
import { type Resource, referenced } from '../lib/synthesis.ts';
import { runProgram } from './program.ts';

const root = join(import.meta.dirname, '../..');

/** Secrets in the environment of a deployment; none may reach what is deployed. */
const secretVariables = {
  AWS_ACCESS_KEY_ID: 'AKIACANARY0000000001',
  AWS_SECRET_ACCESS_KEY: 'canary-secret-access-key',
  AWS_SESSION_TOKEN: 'canary-session-token',
  NPM_TOKEN: 'canary-npm-token',
  PRIVATE_KEY: 'pri_canarycanarycanary',
};

describe('the CDK app', () => {
  it('fails with every wrong setting and without a stack trace when the configuration is invalid', () => {
    const { status, stderr, output } = runProgram('bin/app.ts', {
      keepData: 'perhaps',
      environmentName: 'Prod',
    });
    expect(status).toBe(1);
    expect(stderr).toContain('environmentName: given "Prod", expected 1 to 30 lower-case letters');
    expect(stderr).toContain('keepData: given "perhaps", expected true or false.');
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(existsSync(join(output, 'manifest.json'))).toBe(false);
  });

  it("fails when AWS's rules refuse the template", () => {
    const { status, stderr } = runProgram('test/bin/faulty-app.ts', {}, { validation: true });
    expect(status).toBe(1);
    expect(stderr).toContain("ERROR MessageRetentionPeriod: 'long' is not of type 'integer'");
  });
});

const run = runProgram(
  'bin/app.ts',
  everySetting,
  // Node also warns about what it is about to deprecate.
  {
    validation: true,
    bundles: true,
    variables: { ...secretVariables, NODE_OPTIONS: '--pending-deprecation' },
  },
);
afterAll(() => rmSync(run.output, { recursive: true }));
const files = readdirSync(run.output, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => ({ name, text: readFileSync(join(parentPath, name), 'utf8') }));
const template = JSON.parse(readFileSync(join(run.output, 'payhooks-production.template.json'), 'utf8')) as {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Parameters?: object;
};
const ofType = (type: string): [id: string, resource: Resource][] =>
  Object.entries(template.Resources).filter(([, { Type }]) => Type === type);
const functions = ofType('AWS::Lambda::Function').map(([, { Properties, Metadata }]) => ({
  asset: join(run.output, String(Metadata['aws:asset:path'])),
  variables: (Properties['Environment'] as { Variables: Readonly<Record<string, unknown>> }).Variables,
}));

it("the app with every setting passes AWS's rules without an error or a warning", () => {
  expect(run.status).toBe(0);
  expect(run.stderr).not.toMatch(/warning|error/i);
  const report = files.find(({ name }) => name === 'validation-report.json');
  expect(JSON.parse(report?.text ?? '')).toMatchObject({ pluginReports: [] });
});

/**
 * The limits leave about 10 % above today's sizes: each byte makes cold starts slower. The last two are not on the path
 * of a payment; ky, which they load with the first call, is 26 KB of them.
 */
const stages: [stage: string, bytesMax: number][] = [
  ['verifier', 135_000],
  ['consumer', 208_000],
  ['order-query', 175_000],
  // Two services of AWS: it compares records with rows, and marks orders with attention.
  ['order-feed', 155_000],
  ['waiting-count', 127_000],
  // It has the code of the consumer.
  ['operations', 255_000],
  // Three services of AWS; no request waits for its cold start.
  ['webhook-audit', 210_000],
  ['token-refresh', 168_000],
  // The operator's code with nine clients; it runs every hour.
  ['self-check', 1_060_000],
];

describe.each(stages)('the bundle of the %s', (stage, bytesMax) => {
  const { asset = '', variables: given = {} } =
    functions.find((one) => one.variables[variables.serviceName] === stage) ?? {};
  // The verifier also has the ES module that waits for its keys, which an `index.js` would hide from Lambda.
  const folder = stage === 'verifier' ? ['bundle.cjs', 'index.mjs'] : ['index.js'];
  const bundle = join(asset, `${folder[0]}`);
  const code = readFileSync(bundle, 'utf8');

  it(`is one CommonJS file of at most ${bytesMax} bytes, and exports a handler`, () => {
    expect(readdirSync(asset)).toEqual(folder);
    // A script has neither `import` nor `export`: its parser refuses an ES module.
    expect(() => new Script(code)).not.toThrow();
    expect(Buffer.byteLength(code)).toBeLessThanOrEqual(bytesMax);
    for (const [name, value] of Object.entries(given))
      vi.stubEnv(name, typeof value === 'string' ? value : '1');
    const loaded: unknown = createRequire(import.meta.url)(bundle);
    expect(loaded).toMatchObject({ handler: expect.any(Function) });
  });

  it('takes credentials from the environment, and names no folder of the machine that built it', () => {
    expect(code).toContain('AWS_SESSION_TOKEN');
    // The self-check has the whole SDK, which looks in the environment first.
    if (stage !== 'self-check')
      expect(code).not.toMatch(/sso_start_url|credential_process|AssumeRoleWithWebIdentity|role_arn/);
    expect(code).not.toContain(root);
  });
});

const secretPatterns = {
  'a private key of the payment service': /pri_(?!sandbox_)[\w-]{4,}|pri_sandbox_[\w-]{4,}/,
  'an access key of AWS': /\b(AKIA|ASIA)[0-9A-Z]{16}\b/,
  'a private key in PEM': /-----BEGIN [A-Z ]*PRIVATE KEY-----(\\n|\s)*[A-Za-z0-9+/]{20}/,
  'a JSON web token': /\beyJ[\w-]{10,}\.[\w-]{10,}\./,
  'a token of a forge or registry': /\b(npm_[A-Za-z0-9]{36}|gh[pousr]_[A-Za-z0-9]{36})/,
  'credentials in a URL': /\b[a-z]+:\/\/[^\s/:@"'`$]+:[^\s/:@"'`$]+@/,
  'a value of secretVariables': /canary/i,
} as const;

describe('what is deployed', () => {
  it('holds no secret: template, manifest and the bundle of every function', () => {
    expect(files.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['manifest.json', 'payhooks-production.template.json', 'tree.json']),
    );
    expect(files.filter(({ name }) => ['index.js', 'bundle.cjs'].includes(name))).toHaveLength(12);
    for (const [kind, pattern] of Object.entries(secretPatterns))
      expect(
        files.filter(({ text }) => pattern.test(text)).map(({ name }) => name),
        kind,
      ).toEqual([]);
  });

  it('resolves one secret into a property, and has no parameter but the version of the bootstrap stack', () => {
    const resolved = ([, resource]: readonly [string, unknown]) =>
      JSON.stringify(resource).includes('{{resolve:');
    const places = Object.entries(template.Resources).filter(resolved);
    // The proof of the operations API, which protects no payment and which CloudFormation generates.
    expect(places.map(([id]) => id)).toEqual([expect.stringMatching(/^OperationsEndpointStage/)]);
    expect(JSON.stringify(places)).toMatch(
      /"StageVariables":\{"proof":\{"Fn::Join":\["",\["\{\{resolve:secretsmanager:",\{"Ref":"HeartbeatKeySecret\w+"\},/,
    );
    expect(Object.keys(template.Parameters ?? {})).toEqual(['BootstrapVersion']);
  });
});

it('the environment variables of the functions hold the ARN of a secret, never its value', () => {
  const secrets = ofType('AWS::SecretsManager::Secret').map(([id]) => id);
  const readers = functions
    .flatMap((one) => Object.entries(one.variables))
    .filter(([, value]) => secrets.includes(referenced(value)));
  expect(readers.length).toBeGreaterThan(4);
  for (const [variable, value] of readers) {
    expect(variable).toMatch(/_SECRET_ARN$/);
    expect(value).toEqual({ Ref: referenced(value) });
  }
});
