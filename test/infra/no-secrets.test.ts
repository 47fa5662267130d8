import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { variables } from '../../lambdas/contract/environment.ts';
import { readConfiguration } from '../../lib/configuration.ts';
import { shippedContext } from '../doubles/shipped-context.ts';
import { everySetting } from './every-setting.ts';
import { type Resource, referenced } from './synthesis.ts';

const root = join(import.meta.dirname, '../..');
const scratch = mkdtempSync(join(tmpdir(), 'payhooks-no-secrets-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** What whoever deploys may have in the environment; none of it may reach what is deployed. */
const ofTheDeployer = {
  AWS_ACCESS_KEY_ID: 'AKIACANARY0000000001',
  AWS_SECRET_ACCESS_KEY: 'canary-secret-access-key',
  AWS_SESSION_TOKEN: 'canary-session-token',
  NPM_TOKEN: 'canary-npm-token',
  PRIVATE_KEY: 'pri_canarycanarycanary',
};

/** What a secret looks like, whoever it belongs to. */
const secrets = {
  'a private key of the payment service': /pri_(?!sandbox_)[\w-]{4,}|pri_sandbox_[\w-]{4,}/,
  'an access key of AWS': /\b(AKIA|ASIA)[0-9A-Z]{16}\b/,
  'a private key in PEM': /-----BEGIN [A-Z ]*PRIVATE KEY/,
  'a JSON web token': /\beyJ[\w-]{10,}\.[\w-]{10,}\./,
  'a token of a forge or registry': /\b(npm_[A-Za-z0-9]{36}|gh[pousr]_[A-Za-z0-9]{36})/,
  'credentials in an address': /\b[a-z]+:\/\/[^\s/:@"'`$]+:[^\s/:@"'`$]+@/,
  'something of the environment it was made in': /canary/i,
} as const;

/** Which secrets a text holds. */
const secretsIn = (text: string): string[] =>
  Object.entries(secrets).flatMap(([kind, pattern]) => (pattern.test(text) ? [kind] : []));

/** What each variable of a function may be when it is not a reference to something of the stack. */
const literals: Readonly<Record<string, RegExp>> = {
  [variables.signatureHeader]: /^[a-z0-9-]+$/,
  [variables.paymentServiceBaseUrl]: /^https:\/\/[a-z0-9.-]+$/,
  [variables.webhookUrl]: /^https:\/\/[a-z0-9.-]+\/[a-z/]+$/,
  [variables.requiredEvents]: /^[a-z_]+\.[a-z_]+(,[a-z_]+\.[a-z_]+)*$/,
  [variables.stackName]: /^payhooks-[a-z0-9-]+$/,
  [variables.eventRetentionDays]: /^\d+$/,
  [variables.metricsNamespace]: /^payhooks\/[a-z0-9-]+$/,
  [variables.serviceName]: /^[a-z-]+$/,
};

/** References that give the name, the URL or the ARN of a resource, and never what it holds. */
const namingReference = /^\{"(Ref":"\w+"|Fn::GetAtt":\["\w+","(Arn|ApiEndpoint)"\])\}$/;

interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Parameters?: Readonly<Record<string, unknown>>;
}

let files: readonly { readonly name: string; readonly text: string }[];
let template: Template;
beforeAll(() => {
  const { status, stderr } = spawnSync(process.execPath, ['bin/app.ts'], {
    cwd: root,
    encoding: 'utf8',
    env: {
      ...process.env,
      ...ofTheDeployer,
      // AWS's own rules have their test; here they would only cost time.
      CDK_VALIDATION: 'false',
      CDK_OUTDIR: scratch,
      CDK_CONTEXT_JSON: JSON.stringify({ ...shippedContext, ...everySetting, environmentName: 'complete' }),
    },
  });
  expect(status, stderr).toBe(0);
  files = readdirSync(scratch, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => ({ name, text: readFileSync(join(parentPath, name), 'utf8') }));
  template = JSON.parse(readFileSync(join(scratch, 'payhooks-complete.template.json'), 'utf8'));
});

const ofType = (type: string): [string, Resource][] =>
  Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);

/** Every variable of every function that the stack sets to a text of its own or to a reference. */
function environment(): [variable: string, value: unknown][] {
  return ofType('AWS::Lambda::Function').flatMap(([, { Properties }]) => {
    const { Variables } = Properties['Environment'] as {
      readonly Variables: Readonly<Record<string, unknown>>;
    };
    return Object.entries(Variables);
  });
}

describe('what is deployed', () => {
  it('is looked at whole: the template, the manifest and the bundle of every function', () => {
    expect(files.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['manifest.json', 'payhooks-complete.template.json', 'tree.json']),
    );
    const bundles = files.filter(({ name }) => name === 'index.js');
    expect(bundles).toHaveLength(ofType('AWS::Lambda::Function').length);
    expect(bundles.length).toBeGreaterThanOrEqual(4);
  });

  it('is made with a value for every setting there is', () => {
    const { environmentName: _, ...known } = readConfiguration(
      (key) => ({ ...everySetting, environmentName: 'complete' })[key],
    );
    expect(known).toEqual(everySetting);
  });

  it('holds no secret, neither of the product nor of whoever deploys it', () => {
    expect(files.flatMap(({ name, text }) => secretsIn(text).map((kind) => `${kind} in ${name}`))).toEqual(
      [],
    );
  });

  it.each([
    ['a private key of the payment service', 'const key = "pri_4f9a8b7c6d";'],
    ['a private key of the payment service', '{"key":"pri_sandbox_4f9a8b7c6d"}'],
    ['an access key of AWS', 'AKIAIOSFODNN7EXAMPLE'],
    ['a private key in PEM', '-----BEGIN RSA PRIVATE KEY-----'],
    ['a JSON web token', '"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl"'],
    ['a token of a forge or registry', `ghp_${'a'.repeat(36)}`],
    ['credentials in an address', 'https://user:password@example.com'],
  ])('would be found to hold %s', (kind, text) => {
    expect(secretsIn(text)).toEqual([kind]);
  });
});

describe('the environment of the functions', () => {
  it('holds names, ARNs, addresses and numbers only', () => {
    expect(environment().length).toBeGreaterThan(10);
    const strange = environment().filter(([variable, value]) =>
      typeof value === 'string'
        ? literals[variable]?.test(value) !== true
        : !namingReference.test(JSON.stringify(value)),
    );
    expect(strange).toEqual([]);
  });

  it('tells where a secret is, and never what it is', () => {
    const told = ofType('AWS::SecretsManager::Secret').map(([id]) => id);
    expect(told.length).toBeGreaterThanOrEqual(1);
    for (const [variable, value] of environment()) {
      if (told.includes(referenced(value))) expect(variable).toMatch(/_SECRET_ARN$/);
    }
  });
});

describe('the template', () => {
  it('reads no secret into a property', () => {
    expect(JSON.stringify(template)).not.toMatch(/\{\{resolve:/);
  });

  it('makes secrets without a value: each one is put in by a person', () => {
    for (const [, { Properties }] of ofType('AWS::SecretsManager::Secret')) {
      expect(Object.keys(Properties)).not.toContain('SecretString');
      expect(Object.keys(Properties)).not.toContain('GenerateSecretString');
    }
  });

  it('asks for no parameter but the version of the bootstrap stack', () => {
    expect(Object.keys(template.Parameters ?? {})).toEqual(['BootstrapVersion']);
  });
});
