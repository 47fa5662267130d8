import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const workflow = readFileSync(join(import.meta.dirname, '../.github/workflows/deploy.yml'), 'utf8');

type Lint = (name: string, text: string) => Promise<string[]>;
let directory: string;
let lint: Lint;

// GitHub's own language service imports JSON in a way that bundlers accept and Node does not, so it is bundled.
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'payhooks-workflow-'));
  const outfile = join(directory, 'lint.cjs');
  const contents = `
    import { validate } from '@actions/languageservice';
    import { TextDocument } from 'vscode-languageserver-textdocument';
    export const lint = async (name, text) => {
      const document = TextDocument.create('file:///.github/workflows/' + name, 'yaml', 0, text);
      return (await validate(document)).map(({ range, message }) => range.start.line + 1 + ': ' + message);
    };`;
  buildSync({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile,
    logLevel: 'warning',
  });
  ({ lint } = (await import(pathToFileURL(outfile).href)) as { lint: Lint });
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('the deployment workflow', () => {
  it('tests every change with .ci/run, and shows or deploys nothing that did not pass', () => {
    const [, test = ''] = /^ {2}test:\n(.*?)^ {2}diff:\n/ms.exec(workflow) ?? [];
    expect(test).toMatch(/^ {6}- run: \.ci\/run$/m);
    expect(test).not.toMatch(/^ {4}if:|continue-on-error/m);
    expect(workflow.match(/^ {4}needs: test$/gm)).toHaveLength(2);
  });

  it('has no error in the language service of GitHub', async () => {
    expect(await lint('deploy.yml', workflow)).toEqual([]);
  });

  it.each([
    ['a job that does not exist', 'needs: test', 'needs: tests'],
    ['an unknown context', 'vars.AWS_REGION', 'var.AWS_REGION'],
    ['an unknown key', 'timeout-minutes: 45', 'timeout-minute: 45'],
  ])('would have an error for %s', async (name, right, wrong) => {
    expect(workflow).toContain(right);
    expect(await lint(`${name}.yml`, workflow.replace(right, wrong))).not.toEqual([]);
  });

  it('gives the repository token read access only, and an AWS role to two jobs', () => {
    expect(workflow).toMatch(/^permissions:\n {2}contents: read\n\n/m);
    expect(workflow.match(/[\w-]+: write/g)).toEqual(['id-token: write', 'id-token: write']);
    expect(workflow).not.toContain('pull_request_target');
    expect(workflow).not.toContain('secrets.');
  });

  it('puts no expression into a script, where a branch name could become a command', () => {
    const scripts = [...workflow.matchAll(/^( +)(?:- )?run: (\|\n(?:\1 {2,}.*\n)+|.*)/gm)].map(
      ([text]) => text,
    );
    expect(scripts.length).toBeGreaterThanOrEqual(4);
    expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
  });

  it('limits the time of every job', () => {
    expect(workflow.match(/^ {4}runs-on:/gm)).toHaveLength(3);
    expect(workflow.match(/^ {4}timeout-minutes: \d+$/gm)).toHaveLength(3);
  });
});
