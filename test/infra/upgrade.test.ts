import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfiguration } from '../../lib/configuration.ts';
import { PayhooksStack } from '../../lib/payhooks-stack.ts';
import { shippedContext } from '../doubles/shipped-context.ts';
import { keptReleases, keptSettings, type StoredTemplate } from '../releases/kept-release.ts';
import { statefulTypes } from '../releases/stateful-types.ts';

const repository = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'payhooks-upgrade-'));
const assembly = join(folder, 'assembly');
let today: StoredTemplate;

beforeAll(() => {
  process.env['CDK_VALIDATION'] = 'false';
  const context = { ...shippedContext, ...keptSettings, 'aws:cdk:bundling-stacks': [] };
  const app = new App({ outdir: assembly, context });
  const configuration = readConfiguration((key) => app.node.tryGetContext(key));
  const name = `payhooks-${configuration.environmentName}`;
  new PayhooksStack(app, name, { configuration });
  today = app.synth().getStackByName(name).template;
});
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * What an upgrade from a template would replace, delete or abandon, as the CDK CLI says it: it knows from
 * CloudFormation's own specification which change of which property does.
 */
function destroyedFrom(templateFile: string): string[] {
  const cdk = join(repository, 'node_modules', 'aws-cdk', 'bin', 'cdk');
  const flags = ['--app', assembly, '--template', templateFile, '--fail-on', 'destructive'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [cdk, 'diff', ...flags], {
    cwd: repository,
    env: { ...process.env, CDK_DISABLE_VERSION_CHECK: 'true', CDK_DISABLE_CLI_TELEMETRY: 'true', CI: 'true' },
    encoding: 'utf8',
    timeout: 60_000,
  });
  const said = stdout + stderr;
  const places = [...said.matchAll(/^ +payhooks-\S+: (AWS::\S+) .*?(\S+) (?:will|may) be (\w+)$/gm)];
  const destroyed = places.map(([, type, logicalId, what]) => `${type} ${logicalId} ${what}`);
  if (status !== (destroyed.length === 0 ? 0 : 1)) throw new Error(`cdk diff ended with ${status}:\n${said}`);
  return destroyed.filter((one) => statefulTypes.some((type) => one.startsWith(`${type} `)));
}

describe.each(keptReleases())('an upgrade from $version', ({ template, templateFile }) => {
  const old = Object.entries(template.Resources);

  it('keeps every resource that holds something or has an address, by its logical id', () => {
    const held = old.filter(([, { Type }]) => statefulTypes.includes(Type));
    expect(held.length).toBeGreaterThan(15);
    expect(held.filter(([id, { Type }]) => today.Resources[id]?.Type !== Type).map(([id]) => id)).toEqual([]);
  });

  it('replaces none of them', () => {
    expect(destroyedFrom(templateFile)).toEqual([]);
  });

  it('keeps every output', () => {
    expect(Object.keys(today.Outputs)).toEqual(expect.arrayContaining(Object.keys(template.Outputs)));
  });

  it('would be seen to replace what gets another name', () => {
    const renamed = {
      TablesOrdersACF7C9C0: { TableName: 'orders' },
      EventQueue7D2669DD: { QueueName: 'events' },
      VerifierKeySecret9C04C57B: { Name: 'keys' },
      OrderFeedBusC4CC54D3: { Name: 'bus' },
    };
    const changed = structuredClone(template) as { Resources: Record<string, { Properties?: object }> };
    for (const [id, properties] of Object.entries(renamed)) {
      const resource = changed.Resources[id];
      if (resource !== undefined) resource.Properties = { ...resource.Properties, ...properties };
    }
    const file = join(folder, 'renamed.json');
    writeFileSync(file, JSON.stringify(changed));
    expect(destroyedFrom(file)).toEqual(
      expect.arrayContaining([
        'AWS::DynamoDB::Table TablesOrdersACF7C9C0 replaced',
        'AWS::SQS::Queue EventQueue7D2669DD replaced',
        'AWS::SecretsManager::Secret VerifierKeySecret9C04C57B replaced',
        'AWS::Events::EventBus OrderFeedBusC4CC54D3 replaced',
      ]),
    );
  });
});
