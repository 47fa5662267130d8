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
 * Runs a program of `bin/` as the CDK CLI does, with the shipped context and this one, and without bundles. AWS's own
 * rules take seconds, so they are off unless `validation` says otherwise.
 */
export function runProgram(
  program: string,
  context: Readonly<Record<string, unknown>>,
  { validation = false } = {},
) {
  const output = mkdtempSync(join(tmpdir(), 'payhooks-program-'));
  const paths = { 'aws:cdk:bundling-stacks': [], 'aws:cdk:enable-path-metadata': true };
  const env = {
    ...process.env,
    CDK_VALIDATION: `${validation}`,
    CDK_OUTDIR: output,
    CDK_CONTEXT_JSON: JSON.stringify({ ...shippedContext, ...paths, ...context }),
  };
  const { status, stderr } = spawnSync(process.execPath, [program], {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
    env,
  });
  const read = (file: string) => JSON.parse(readFileSync(join(output, file), 'utf8'));
  return {
    status,
    stderr,
    stack: (name: string): Synthesis => readTemplate(read(`${name}.template.json`)),
    parameters: (name: string): unknown => read(`${name}.template.json`).Parameters,
    rolesOf: (name: string): ManifestRoles => read('manifest.json').artifacts[name].properties,
  };
}
