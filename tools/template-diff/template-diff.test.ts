import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { templateDiff } from './template-diff.ts';

const folder = mkdtempSync(join(tmpdir(), 'payhooks-template-diff-'));
afterAll(() => rmSync(folder, { recursive: true }));

const deployed = write('payhooks-production.json', {
  Resources: {
    Orders: {
      Type: 'AWS::DynamoDB::Table',
      Properties: { TableName: 'orders', BillingMode: 'PAY_PER_REQUEST' },
    },
  },
});

function write(name: string, content: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const compare = (proposed: string) => templateDiff(deployed, proposed);

describe('npm run template-diff', () => {
  const run = (proposed: string) => {
    const program = join(import.meta.dirname, 'main.ts');
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, deployed, proposed], {
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };

  it('prints the diff', () => {
    const stdout = '### payhooks-production\n\nNo change.\n';
    expect(run(deployed)).toEqual({ status: 0, stdout, stderr: '' });
  });

  it('prints nothing of a template that it refuses', () => {
    const stderr =
      'The proposed template is missing, larger than CloudFormation permits, or no template in JSON.\n';
    const proposed = write('canary.json', 'AWS_SECRET_ACCESS_KEY=canary');
    expect(run(proposed)).toEqual({ status: 1, stdout: '', stderr });
  });
});

describe('the diff of two templates', () => {
  it('shows a table that would be replaced, and a role that would get more permissions', async () => {
    const printed = await compare(
      write('replacing.json', {
        Resources: {
          Orders: {
            Type: 'AWS::DynamoDB::Table',
            Properties: { TableName: 'other', BillingMode: 'PAY_PER_REQUEST' },
          },
          Intruder: {
            Type: 'AWS::IAM::Role',
            Properties: { ManagedPolicyArns: ['arn:aws:iam::aws:policy/AdministratorAccess'] },
          },
        },
      }),
    );
    expect(printed).toMatch(/^### payhooks-production\n\n<pre>\nIAM Policy Changes\n/);
    expect(printed).toMatch(/\+ │ \$\{Intruder\} │ arn:aws:iam::aws:policy\/AdministratorAccess/);
    expect(printed).toMatch(/\[~\] AWS::DynamoDB::Table Orders replace/);
  });

  it('prints hostile text as text: no HTML, Markdown fence, colour, control or invisible character', async () => {
    const name = '</pre><script>alert(1)</script>\u001b[31m\u202e\u0007\r```';
    const resources = { [name]: { Type: 'AWS::SQS::Queue' } };
    const printed = (await compare(write('hostile.json', { Resources: resources }))) ?? '';
    expect(printed).toContain('&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(printed.replaceAll('\n', '')).toMatch(/^[\x20-\x7e\u2500-\u257f]+$/);
    expect(printed.match(/<[^>]+>/g)).toEqual(['<pre>', '</pre>']);
  });

  it('is cut where GitHub would refuse it', async () => {
    const many = Array.from({ length: 45 }, (_, index) => [
      `Queue${index}${'x'.repeat(10_000)}`,
      { Type: 'AWS::SQS::Queue' },
    ]);
    const printed = (await compare(write('long.json', { Resources: Object.fromEntries(many) }))) ?? '';
    expect(printed.length).toBeLessThan(401_000);
    expect(printed).toMatch(/\n… \d+ more characters\n<\/pre>\n$/);
  });

  it.each([
    ['is missing', () => join(folder, 'missing.json')],
    ['is a link to another file of the machine', link],
    [
      'is larger than CloudFormation permits',
      () => write('large.json', `{"Resources":"${'x'.repeat(1_000_000)}"}`),
    ],
    [
      'has more resources than CloudFormation permits',
      () => write('many.json', { Resources: Array(501).fill({}) }),
    ],
    ['is not JSON', () => write('words.json', 'AWS_SECRET_ACCESS_KEY=canary')],
    ['is JSON, but no template', () => write('list.json', [])],
    [
      'is nested too deeply',
      () => write('deep.json', `{"Resources":${'['.repeat(300_000)}${']'.repeat(300_000)}}`),
    ],
  ])('is refused when the proposed template %s', async (_, proposed) => {
    expect(await compare(proposed())).toBeUndefined();
  });
});

function link(): string {
  const file = join(folder, 'link.json');
  symlinkSync(deployed, file);
  return file;
}
