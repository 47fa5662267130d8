import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { readConfiguration } from '../../lib/configuration.ts';
import { PayhooksStack } from '../../lib/payhooks-stack.ts';
import { shippedContext } from '../doubles/shipped-context.ts';

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly Metadata: Readonly<Record<string, unknown>>;
}

export interface Output {
  readonly Value: unknown;
  readonly Description: string;
  readonly Export?: unknown;
}

type Settings = Readonly<Record<string, unknown>>;

/** A synthesised stack, for reading. */
export interface Synthesis {
  readonly resources: ReadonlyMap<string, Resource>;
  readonly outputs: Readonly<Record<string, Output>>;
  readonly terminationProtection: boolean | undefined;
  /** The resources of a type, with their logical ids. */
  ofType(type: string): [id: string, resource: Resource][];
  /** The only resource of a type; throws when there are none or several. */
  only(type: string): Resource;
  /** The resource of a type at a place in the construct tree; throws when there is none. */
  at(type: string, path: string): Resource;
  /** Where a resource is in the construct tree, without the stack. */
  pathOf(logicalId: string): string;
}

const syntheses = new Map<string, Synthesis>();

/**
 * The stack that these settings make of the shipped cdk.json, synthesised once per process. Nothing is bundled,
 * and AWS's rules are off: `app.test.ts` covers both.
 */
export function synthesise(settings: Settings = {}): Synthesis {
  const key = JSON.stringify(settings);
  const synthesis = syntheses.get(key) ?? synthesiseAnew(settings);
  syntheses.set(key, synthesis);
  return synthesis;
}

export function synthesiseAll<const Environments extends readonly Settings[]>(
  ...environments: Environments
): { [Index in keyof Environments]: Synthesis } {
  return environments.map(synthesise) as { [Index in keyof Environments]: Synthesis };
}

function synthesiseAnew(settings: Settings): Synthesis {
  process.env['CDK_VALIDATION'] = 'false';
  const outdir = mkdtempSync(join(tmpdir(), 'payhooks-infra-'));
  const context = { 'aws:cdk:bundling-stacks': [], 'aws:cdk:enable-path-metadata': true };
  const app = new App({ outdir, context: { ...shippedContext, ...context } });
  const configuration = readConfiguration((key) => settings[key] ?? app.node.tryGetContext(key));
  const stack = new PayhooksStack(app, `payhooks-${configuration.environmentName}`, { configuration });
  const synthesis = read(Template.fromStack(stack).toJSON(), stack.terminationProtection);
  rmSync(outdir, { recursive: true });
  return synthesis;
}

function read(
  template: Readonly<Record<string, unknown>>,
  terminationProtection: boolean | undefined,
): Synthesis {
  const resources = new Map(Object.entries(template['Resources'] as Record<string, Resource>));
  const ofType = (type: string): [string, Resource][] =>
    [...resources].filter(([, resource]) => resource.Type === type);
  const pathOf = (logicalId: string): string => {
    const path = resources.get(logicalId)?.Metadata['aws:cdk:path'];
    if (typeof path !== 'string') throw new Error(`${logicalId} has no path`);
    return path.replace(/^[^/]+\//, '').replace(/\/Resource$/, '');
  };
  return {
    resources,
    outputs: template['Outputs'] as Record<string, Output>,
    terminationProtection,
    ofType,
    only(type) {
      const [first, ...others] = ofType(type);
      if (first === undefined || others.length > 0) throw new Error(`${others.length + 1} of ${type}`);
      return first[1];
    },
    at(type, path) {
      const found = ofType(type).find(([id]) => pathOf(id) === path);
      if (found === undefined) throw new Error(`no ${type} at ${path}`);
      return found[1];
    },
    pathOf,
  };
}

/**
 * The logical id that `{"Ref": …}` or `{"Fn::GetAtt": […]}` names; anything else as JSON, which equals no id.
 */
export function referenced(value: unknown): string {
  const reference = value as { readonly Ref?: string; readonly 'Fn::GetAtt'?: readonly string[] };
  return reference?.Ref ?? reference?.['Fn::GetAtt']?.[0] ?? JSON.stringify(value);
}
