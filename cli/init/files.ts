import cdk from '../../cdk.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };
import type { Answers } from './questions.ts';

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** The stack of a project, in which payhooks is all there is at first. */
export const projectStack = 'payments';

/** The files of a merchant's project, by their paths. */
export const filesOf = (name: string, answers: Answers): Readonly<Record<string, string>> => ({
  'package.json': packageOf(name),
  'bin/app.ts': appOf(answers),
  'test/app.test.ts': test,
  'cdk.json': json({ app: 'node bin/app.ts', versionReporting: false, context: featureFlags() }),
  'tsconfig.json': json({ compilerOptions, include: ['bin', 'test'] }),
  '.gitignore': 'node_modules/\ncdk.out/\n',
  '.github/workflows/test.yml': workflow,
  'README.md': readmeOf(name),
});

/** Those with which payhooks is tested. */
const featureFlags = () =>
  Object.fromEntries(Object.entries(cdk.context).filter(([flag]) => flag.startsWith('@aws-cdk')));

const compilerOptions = {
  ...{
    target: 'es2024',
    module: 'nodenext',
    types: ['node'],
    noEmit: true,
    strict: true,
    skipLibCheck: true,
  },
  ...{ verbatimModuleSyntax: true, erasableSyntaxOnly: true, allowImportingTsExtensions: true },
};

function packageOf(name: string): string {
  const { version, dependencies, devDependencies } = manifest;
  const { 'aws-cdk-lib': library, constructs, 'aws-cdk': command } = dependencies;
  const { typescript, '@types/node': types } = devDependencies;
  return json({
    ...{ name, private: true, type: 'module', engines: { node: '>=24' } },
    scripts: { start: 'payhooks dev', test: 'tsc && node --test', deploy: 'payhooks deploy' },
    dependencies: { 'aws-cdk-lib': library, constructs, payhooks: version },
    devDependencies: { '@payhooks/local': version, '@types/node': types, 'aws-cdk': command, typescript },
  });
}

function appOf(answers: Answers): string {
  const { region, account, signatureHeader, serviceUrl, authentication, alarmEmail, domain, certificate } =
    answers;
  const line = (name: string, value: string) => (value === '' ? [] : [`  ${name}: '${value}',`]);
  return [
    "import { App, Stack } from 'aws-cdk-lib';",
    ...(domain === '' ? [] : ["import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';"]),
    "import { Payhooks } from 'payhooks';",
    '',
    `const stack = new Stack(new App(), '${projectStack}', {`,
    `  env: { ${account === '' ? '' : `account: '${account}', `}region: '${region}' },`,
    '  terminationProtection: true,',
    '});',
    '// With the id Default, names and outputs begin with that of the stack.',
    "new Payhooks(stack, 'Default', {",
    ...line('signatureHeader', signatureHeader),
    ...line('paymentServiceBaseUrl', serviceUrl),
    ...line('paymentServiceAuthentication', authentication),
    ...line('alarmEmail', alarmEmail),
    ...(domain === ''
      ? []
      : [
          '  webhookDomain: {',
          `    domainName: '${domain}',`,
          `    certificate: Certificate.fromCertificateArn(stack, 'Certificate', '${certificate}'),`,
          '  },',
        ]),
    '});',
    '',
  ].join('\n');
}

const test = `import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const folder = mkdtempSync(join(tmpdir(), 'synth-'));
execFileSync(process.execPath, ['node_modules/aws-cdk/bin/cdk', 'synth', '--quiet', '--output', folder]);
const template = JSON.parse(readFileSync(join(folder, '${projectStack}.template.json'), 'utf8'));
rmSync(folder, { recursive: true });
const resources = Object.values<{ Type: string; DeletionPolicy?: string }>(template.Resources);

test('the stack has the URL to register with the payment service', () => {
  assert.ok(template.Outputs.WebhookUrl);
});

test('the tables stay when the stack is deleted', () => {
  const tables = resources.filter(({ Type }) => Type === 'AWS::DynamoDB::Table');
  assert.ok(tables.length >= 2);
  for (const { DeletionPolicy } of tables) assert.match(\`\${DeletionPolicy}\`, /^Retain/);
});
`;

const workflow = `# Type-checks the app, synthesises it, and tests what came out. It needs no credentials.
name: test
on:
  pull_request:
  push:
    branches: [main]
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          persist-credentials: false
      - uses: actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0
        with:
          node-version: 24
      - run: npm ci
      - run: npm test
`;

const readmeOf = (name: string): string => `# ${name}

Receives the webhooks of our payment service, in our own AWS account, with payhooks.
What is deployed is in \`bin/app.ts\`.

    npm install
    npm start              # all of it on this machine, with signed sample events
    npm test               # type-checks and synthesises the app, as the workflow does
    npx payhooks deploy    # checks the account, deploys, and sets up key and webhook; may be repeated
    npx payhooks status --stack ${projectStack}

Needs Node 24. Commit \`package-lock.json\`, which the workflow installs from.
`;
