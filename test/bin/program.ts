import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shippedContext } from '../doubles/shipped-context.ts';
import { readTemplate, type Synthesis } from '../lib/synthesis.ts';

/** The fields of a stack's manifest that name roles of `cdk bootstrap`. */
interface ManifestRoles {
  readonly assumeRoleArn?: string;
  readonly cloudFormationExecutionRoleArn?: string;
  readonly lookupRole?: { readonly arn: string };
}

/**
 * Runs a program as the CDK CLI does, with the shipped context and this one. AWS's own rules and bundles take seconds,
 * so they are off unless the options say otherwise.
 */
export function runProgram(
  program: string,
  context: Readonly<Record<string, unknown>>,
  { validation = false, bundles = false, variables = {} } = {},
) {
  const output = mkdtempSync(join(tmpdir(), 'payhooks-program-'));
  const metadata = { 'aws:cdk:enable-path-metadata': true, 'aws:cdk:enable-asset-metadata': true };
  const bundling = bundles ? {} : { 'aws:cdk:bundling-stacks': [] };
  const env = {
    ...process.env,
    ...variables,
    CDK_VALIDATION: `${validation}`,
    CDK_OUTDIR: output,
    CDK_CONTEXT_JSON: JSON.stringify({ ...shippedContext, ...metadata, ...bundling, ...context }),
  };
  const { status, stderr } = spawnSync(process.execPath, [program], {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
    env,
  });
  const read = (file: string) => JSON.parse(readFileSync(join(output, file), 'utf8'));
  return {
    ...{ status, stderr, output },
    stack: (name: string): Synthesis => readTemplate(read(`${name}.template.json`)),
    parameters: (name: string): unknown => read(`${name}.template.json`).Parameters,
    rolesOf: (name: string): ManifestRoles => read('manifest.json').artifacts[name].properties,
  };
}
