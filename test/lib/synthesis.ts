import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Annotations, App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { vi } from 'vitest';
import { type EnvironmentConfiguration, readConfiguration } from '../../lib/configuration.ts';
import { PayhooksStack } from '../../lib/payhooks-stack.ts';
import { shippedContext } from '../doubles/shipped-context.ts';

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DependsOn?: readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly Metadata: Readonly<Record<string, unknown>>;
}

type Settings = Readonly<Record<string, unknown>>;
type Properties = Resource['Properties'];

/** A synthesised stack. Paths are those of the construct tree, without the stack, `Default` and `/Resource`. */
export interface Synthesis {
  readonly resources: ReadonlyMap<string, Resource>;
  readonly outputs: Readonly<Record<string, { readonly Value: unknown; readonly Export?: unknown }>>;
  readonly terminationProtection: boolean | undefined;
  /** The resources of a type, with their logical ids. */
  ofType(type: string): [id: string, resource: Resource][];
  /** The properties of the resources of a type. */
  propertiesOf(type: string): Properties[];
  /** The only resource of a type; throws when there are none or several. */
  only(type: string): Resource;
  /** The resource at a path; throws when there is none. */
  at(path: string): Resource;
  idAt(path: string): string;
  /** The path of a resource, by its logical id or by a `Ref` or `Fn::GetAtt` to it. */
  pathOf(idOrReference: unknown): string;
  /** The environment variables of a function by its construct, such as `Verifier`. */
  variablesOf(construct: string): Properties;
}

const syntheses = new Map<string, Synthesis>();

/**
 * The stack that these settings make of the shipped cdk.json, synthesised once per process. Nothing is bundled,
 * and AWS's rules are off: `app.test.ts` covers both.
 */
export function synthesise(settings: Settings = {}, context: Settings = {}): Synthesis {
  const configuration = readConfiguration(listed(settings));
  // Of the configuration: other settings, such as a default, may make the same stack.
  const key = JSON.stringify([configuration, context]);
  const synthesis = syntheses.get(key) ?? synthesiseAnew(configuration, context);
  syntheses.set(key, synthesis);
  return synthesis;
}

/** A lookup of settings in which their environment is listed. */
export function listed(settings: Settings): (setting: string) => unknown {
  const { environmentName } = { ...shippedContext, ...settings };
  const environments = { [String(environmentName)]: {}, ...(shippedContext['environments'] as object) };
  return (setting) => settings[setting] ?? { ...shippedContext, environments }[setting];
}

function synthesiseAnew(configuration: EnvironmentConfiguration, added: Settings): Synthesis {
  vi.stubEnv('CDK_VALIDATION', 'false');
  const outdir = mkdtempSync(join(tmpdir(), 'payhooks-infra-'));
  const context = { 'aws:cdk:bundling-stacks': [], 'aws:cdk:enable-path-metadata': true };
  const app = new App({ outdir, context: { ...shippedContext, ...context, ...added } });
  const stack = new PayhooksStack(app, `payhooks-${configuration.environmentName}`, { configuration });
  for (const warning of ['SilenceUnnoticed', 'AlarmsUnread'])
    Annotations.of(stack).acknowledgeWarning(`payhooks:${warning}`);
  const synthesis = readTemplate(Template.fromStack(stack).toJSON(), stack.terminationProtection);
  rmSync(outdir, { recursive: true });
  return synthesis;
}

/** A template with the paths of its constructs. */
export function readTemplate(template: Settings, terminationProtection?: boolean): Synthesis {
  const resources = new Map(Object.entries(template['Resources'] as Record<string, Resource>));
  const paths = new Map(
    [...resources].map(([id, { Metadata }]) => {
      const [, ...path] = String(Metadata['aws:cdk:path']).split('/');
      return [id, path.join('/').replace(/^Default\/|\/Resource$/g, '')];
    }),
  );
  const ids = new Map([...paths].map(([id, path]) => [path, id]));
  const idAt = (path: string): string => getOrThrow(ids, path);
  const at = (path: string): Resource => getOrThrow(resources, idAt(path));
  const ofType = (type: string): [string, Resource][] =>
    [...resources].filter(([, resource]) => resource.Type === type);
  return {
    resources,
    outputs: template['Outputs'] as Synthesis['outputs'],
    terminationProtection,
    ofType,
    propertiesOf: (type) => ofType(type).map(([, { Properties }]) => Properties),
    only(type) {
      const [first, ...others] = ofType(type);
      if (first === undefined || others.length > 0) throw new Error(`There is not exactly one ${type}.`);
      return first[1];
    },
    at,
    idAt,
    pathOf: (value) => getOrThrow(paths, typeof value === 'string' ? value : referenced(value)),
    variablesOf(construct) {
      const { Environment } = at(`${construct}/Function/Lambda`).Properties;
      return (Environment as { readonly Variables: Properties }).Variables;
    },
  };
}

function getOrThrow<Value>(map: ReadonlyMap<string, Value>, key: string): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`There is no ${key} among ${[...map.keys()].join(', ')}.`);
  return value;
}

/**
 * The logical id in `{"Ref": …}` or `{"Fn::GetAtt": […]}`; anything else as JSON, which equals no id.
 */
export function referenced(value: unknown): string {
  const reference = value as { readonly Ref?: string; readonly 'Fn::GetAtt'?: readonly string[] };
  return reference?.Ref ?? reference?.['Fn::GetAtt']?.[0] ?? JSON.stringify(value);
}
