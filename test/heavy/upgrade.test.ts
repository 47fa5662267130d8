import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readConfiguration } from '../../lib/configuration.ts';
import { PayhooksStack } from '../../lib/payhooks-stack.ts';
import { shippedContext } from '../doubles/shipped-context.ts';
import { adoptedResources, everySetting } from '../infra/every-setting.ts';
import { settings, statefulResources, template, templateFile } from '../releases/release-0.2.0.ts';

const repository = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'payhooks-upgrade-'));
const assembly = join(folder, 'assembly');
const stackName = `payhooks-${settings.environmentName}`;
let today: {
  readonly Resources: Readonly<Record<string, { readonly Type: string }>>;
  readonly Outputs: Readonly<Record<string, unknown>>;
};

beforeAll(() => {
  vi.stubEnv('CDK_VALIDATION', 'false');
  today = synthesiseTo(assembly, settings);
});
afterAll(() => rmSync(folder, { recursive: true }));

function synthesiseTo(outdir: string, given: Readonly<Record<string, unknown>>): typeof today {
  const context = { ...shippedContext, ...given, 'aws:cdk:bundling-stacks': [] };
  const app = new App({ outdir, context });
  const configuration = readConfiguration((key) => app.node.tryGetContext(key));
  new PayhooksStack(app, stackName, { configuration });
  return app.synth().getStackByName(stackName).template;
}

/**
 * The resources that an upgrade from a template would replace, delete or abandon, as `cdk diff` prints them: it has
 * CloudFormation's specification, which names the properties that cannot be changed in place.
 */
function destroyedFrom(file: string, target = assembly): string[] {
  const cdk = join(repository, 'node_modules', 'aws-cdk', 'bin', 'cdk');
  const flags = ['--app', target, '--template', file, '--fail-on', 'destructive'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [cdk, 'diff', ...flags], {
    cwd: repository,
    env: { ...process.env, CDK_DISABLE_VERSION_CHECK: 'true', CDK_DISABLE_CLI_TELEMETRY: 'true', CI: 'true' },
    encoding: 'utf8',
    timeout: 240_000,
  });
  const printed = stdout + stderr;
  const places = [...printed.matchAll(/^ +payhooks-\S+: (AWS::\S+) .*?(\S+) (?:will|may) be (\w+)$/gm)];
  if (status !== (places.length === 0 ? 0 : 1))
    throw new Error(`cdk diff exited with ${status}:\n${printed}`);
  return places.map(([, type, logicalId, what]) => `${type} ${logicalId} ${what}`);
}

/** What an upgrade from 0.2.0 would do to its stateful resources; functions, alarms and policies may change. */
const statefulDestroyed = (target: string): string[] =>
  destroyedFrom(templateFile, target).filter((one) => `${one.split(' ')[1]}` in statefulResources);

describe('an upgrade from 0.2.0', () => {
  it('keeps the logical id of every resource that holds data or has an address', () => {
    const resources = Object.entries(statefulResources);
    expect(resources).toHaveLength(24);
    const lost = resources.filter(([id, { Type }]) => today.Resources[id]?.Type !== Type).map(([id]) => id);
    expect(lost).toEqual([]);
  });

  it('replaces none of them', () => {
    const destroyed = destroyedFrom(templateFile).filter(
      (one) => `${one.split(' ')[1]}` in statefulResources,
    );
    expect(destroyed).toEqual([]);
  });

  it('keeps every output', () => {
    const outputs = Object.keys(template.Outputs);
    expect(outputs).toHaveLength(26);
    expect(Object.keys(today.Outputs)).toEqual(expect.arrayContaining(outputs));
  });

  it('would be reported if it replaced a resource, with what depends on it', () => {
    const file = join(folder, 'changed.json');
    const changed = {
      TablesOrdersACF7C9C0: { TableName: 'orders' },
      EventQueue7D2669DD: { QueueName: 'events' },
      VerifierKeySecret9C04C57B: { Name: 'keys' },
      OrderFeedBusC4CC54D3: { Name: 'bus' },
      VerifierEndpointApiF833AB10: { ProtocolType: 'WEBSOCKET' },
    };
    const resources = Object.entries(changed).map(([id, properties]) => {
      const { Properties, ...rest } = template.Resources[id] ?? {};
      return [id, { ...rest, Properties: { ...Properties, ...properties } }];
    });
    const Resources = { ...template.Resources, ...Object.fromEntries(resources) };
    writeFileSync(file, JSON.stringify({ ...template, Resources }));
    expect(destroyedFrom(file)).toEqual(
      expect.arrayContaining([
        'AWS::DynamoDB::Table TablesOrdersACF7C9C0 replaced',
        'AWS::SQS::Queue EventQueue7D2669DD replaced',
        'AWS::SecretsManager::Secret VerifierKeySecret9C04C57B replaced',
        'AWS::Events::EventBus OrderFeedBusC4CC54D3 replaced',
        'AWS::Events::Archive OrderFeedArchiveE4582CFA replaced',
        'AWS::ApiGatewayV2::Stage VerifierEndpointStage65CF5D81 replaced',
      ]),
    );
  });
});

describe('the adoption of tables and secrets', () => {
  it('leaves those of the stack where they are, and only reconnects what reads them', () => {
    const changes = join(folder, 'adopting');
    synthesiseTo(changes, { ...everySetting, ...adoptedResources });
    synthesiseTo(join(folder, 'own'), everySetting);
    const own = join(folder, 'own', `${stackName}.template.json`);
    expect(destroyedFrom(own, changes).sort()).toEqual([
      'AWS::DynamoDB::Table TablesEventsE8DD42EA orphaned',
      'AWS::DynamoDB::Table TablesOrdersACF7C9C0 orphaned',
      'AWS::Lambda::EventSourceMapping OrderFeedMapping2FA26CA7 replaced',
      'AWS::Lambda::Permission TokenRefreshFunctionLambdaRotation25D3D8C6 replaced',
      'AWS::SecretsManager::RotationSchedule TokenRefreshSchedule8392C38F replaced',
      'AWS::SecretsManager::Secret TokenRefreshTokenSecret168E4BCB orphaned',
      'AWS::SecretsManager::Secret VerifierKeySecret9C04C57B orphaned',
    ]);
  });
});

describe('a key for everything that is stored', () => {
  const encrypted = join(folder, 'encrypted');
  beforeAll(() => {
    synthesiseTo(encrypted, { ...settings, encryptionKeyArn: 'own' });
  });

  it('is turned on for a stack of 0.2.0 without the replacement of a resource', () => {
    expect(statefulDestroyed(encrypted)).toEqual([]);
  });

  it('stays in the account when it is turned off, and nothing is replaced', () => {
    expect(destroyedFrom(join(encrypted, `${stackName}.template.json`))).toEqual([
      'AWS::KMS::Key EncryptionKey3A692D6E orphaned',
      'AWS::KMS::Alias EncryptionKeyAlias1DF1C985 destroyed',
      // It encrypts alarms on their way to the topic, and nothing that is stored.
      'AWS::KMS::Key AlarmsKey3C2381B3 destroyed',
    ]);
  });
});
