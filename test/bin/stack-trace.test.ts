import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leanBundle, leanBundleOptions } from '../../lib/lean-bundle.ts';

const root = join(import.meta.dirname, '../..');
const scratch = mkdtempSync(join(tmpdir(), 'payhooks-source-map-'));
const assembly = join(scratch, 'assembly');
const maps = join(assembly, 'source-maps');
let asset: string;

beforeAll(() => {
  const stack = new Stack(new App({ outdir: assembly }), 'one-function');
  const code = leanBundle('verifier');
  new LambdaFunction(stack, 'Function', { code, handler: 'index.handler', runtime: Runtime.NODEJS_24_X });
  asset = join(assembly, `${readdirSync(assembly).find((name) => name.startsWith('asset.'))}`);
});
afterAll(() => rmSync(scratch, { recursive: true }));

/** What the on-call types. */
function resolve(log: string, ...flags: readonly string[]) {
  const program = join(root, 'bin', 'stack-trace.ts');
  return spawnSync(process.execPath, [program, ...flags], { input: log, encoding: 'utf8' });
}

/** The stack trace of a function that is deployed without a variable that it needs. */
function crash(): string {
  const { stderr } = spawnSync(process.execPath, ['bundle.cjs'], { cwd: asset, env: {}, encoding: 'utf8' });
  // Before it, Node prints the line of the bundle, which is long.
  return stderr.slice(stderr.lastIndexOf('MissingVariableError'));
}

const lineOf = (file: string, text: string): number =>
  readFileSync(join(root, file), 'utf8')
    .split('\n')
    .findIndex((line) => line.includes(text)) + 1;

describe('the source map of a bundle', () => {
  it('is written outside the assets, and changes nothing in the bundle', () => {
    expect(readdirSync(asset)).toEqual(['bundle.cjs', 'index.mjs']);
    const bundle = readFileSync(join(asset, 'bundle.cjs'));
    const entryPoints = [join(root, 'lambdas/verifier/handler.ts')];
    const { outputFiles } = buildSync({ ...leanBundleOptions(), entryPoints, write: false });
    expect(outputFiles[0]?.text === bundle.toString()).toBe(true);
    const hash = createHash('sha256').update(bundle).digest('hex').slice(0, 16);
    expect(readdirSync(maps)).toEqual([`verifier.${hash}.js.map`]);
  });
});

describe('npm run stack-trace', () => {
  it('resolves a crash of a bundled handler to the line of TypeScript that threw', () => {
    const log = crash();
    expect(log).toMatch(/^MissingVariableError.*\n +at \S+ \(.*bundle\.cjs:\d+:\d+\)$/m);
    const { status, stdout } = resolve(log, 'verifier', maps);
    expect(status).toBe(0);
    const thrown = lineOf('lambdas/contract/environment.ts', 'throw new MissingVariableError');
    expect(stdout).toContain(`lambdas/contract/environment.ts:${thrown}:`);
    expect(stdout).toContain('lambdas/verifier/handler.ts:');
    expect(stdout).not.toContain('bundle.cjs');
  });

  it('resolves the line of JSON in which Lambda logs a crash', () => {
    const stack = crash().replaceAll(`${asset}/`, '/var/task/');
    const line = `2026-11-21T18:10:00Z undefined ERROR Uncaught Exception ${JSON.stringify({ stack })}\n`;
    expect(resolve(line, 'verifier', maps).stdout).toContain('(lambdas/contract/environment.ts:');
  });
});
