import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Assembly, readAssembly, synthesise } from '../src/assembly.ts';

let project: string;
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'payhooks-test-'));
  await writeFile(join(project, 'cdk.json'), '{"context":{"environmentName":"production","kept":1}}');
});
afterAll(() => rm(project, { recursive: true }));

/** A program in place of a CDK app, which writes files into the output folder. */
async function writeApp(name: string, program: string): Promise<string> {
  const start = "import { writeFileSync } from 'node:fs'; const out = process.env.CDK_OUTDIR + '/';";
  await writeFile(join(project, name), `${start}\n${program}`);
  return name;
}

const stack = (file: string): string =>
  `{ type: 'aws:cloudformation:stack', properties: { templateFile: '${file}' } }`;
const manifest = (artifacts: string): string =>
  `writeFileSync(out + 'manifest.json', JSON.stringify({ artifacts: ${artifacts} }));`;

describe('the synthesis of a CDK app', () => {
  it('runs the app with the context of cdk.json and of the call, and removes its folder', async () => {
    const writeContext = "writeFileSync(out + 'a.json', process.env.CDK_CONTEXT_JSON);";
    const app = await writeApp('good.mjs', `${writeContext}${manifest(`{ a: ${stack('a.json')}, t: {} }`)}`);
    const { directory, remove } = await synthesise({ project, app, context: { environmentName: 'local' } });
    expect(await readAssembly(directory)).toEqual({
      directory,
      stackName: 'a',
      template: { environmentName: 'local', kept: 1, 'aws:cdk:enable-asset-metadata': true },
    });
    await remove();
    expect(existsSync(directory)).toBe(false);
  });

  it('fails with what the app printed', async () => {
    const app = await writeApp(
      'bad.mjs',
      "process.stderr.write('port: expected a number\\n'); process.exitCode = 1;",
    );
    await expect(synthesise({ project, app })).rejects.toThrow(
      'bad.mjs exited with code 1:\nport: expected a number',
    );
  });

  it('runs the commands of cdk.json in a shell, with the results of earlier lookups', async () => {
    const folder = join(project, 'merchant');
    await mkdir(folder);
    const app = await writeApp(
      'merchant/app.mjs',
      `writeFileSync(out + 'a.json', JSON.stringify([process.argv[2], process.env]));${manifest(`{ a: ${stack('a.json')} }`)}`,
    );
    const settings = {
      build: 'echo built > built',
      app: 'node app.mjs "$(cat built)"',
      context: { stage: 'b' },
    };
    await writeFile(join(folder, 'cdk.json'), JSON.stringify(settings));
    await writeFile(join(folder, 'cdk.context.json'), '{"vpc":"vpc-1","stage":"a"}');
    const { directory, remove } = await synthesise({ project: folder });
    const { template } = await readAssembly(directory);
    const [built, { CDK_CONTEXT_JSON, CDK_DEFAULT_REGION }] = template as [string, NodeJS.ProcessEnv];
    expect([app, built, CDK_DEFAULT_REGION]).toEqual(['merchant/app.mjs', 'built', 'us-east-1']);
    expect(JSON.parse(CDK_CONTEXT_JSON ?? '')).toMatchObject({ vpc: 'vpc-1', stage: 'b' });
    await remove();
  });

  it('refuses a folder that holds no CDK app', async () => {
    const empty = join(project, 'empty');
    await mkdir(empty);
    await expect(synthesise({ project: empty })).rejects.toThrow(`${empty} has no cdk.json with an app`);
  });

  it('ends when its signal aborts', async () => {
    const app = await writeApp('slow.mjs', 'setInterval(() => {}, 1000);');
    await expect(synthesise({ project, app, signal: AbortSignal.timeout(100) })).rejects.toThrow('aborted');
  });
});

describe('an assembly with several stacks', () => {
  const stage = "{ type: 'cdk:cloud-assembly', properties: { directoryName: 'prod' } }";
  const placed = `{ ...${stack('b.json')}, environment: 'aws://111122223333/eu-central-1' }`;

  async function twoStacks(): Promise<string> {
    const app = await writeApp(
      'two.mjs',
      `import { mkdirSync } from 'node:fs'; mkdirSync(out + 'prod'); writeFileSync(out + 'a.json', '{}');
      ${manifest(`{ a: ${stack('a.json')}, stage: ${stage} }`)}
      writeFileSync(out + 'prod/b.json', '"arn:aws:sqs:eu-central-1:111122223333:b"');
      writeFileSync(out + 'prod/manifest.json', JSON.stringify({ artifacts: { b: ${placed} } }));`,
    );
    const { directory, remove } = await synthesise({ project, app });
    onTestFinished(remove);
    return directory;
  }

  it('is refused without a choice', async () => {
    await expect(readAssembly(await twoStacks())).rejects.toThrow(
      'has 2 stacks (a, b); expected exactly one',
    );
  });

  it('offers the stacks of its stages, too, in the account and region of the emulators', async () => {
    const directory = await twoStacks();
    const chosen = await readAssembly(directory, (stacks) => stacks.at(-1) as Assembly);
    const template = 'arn:aws:sqs:us-east-1:000000000000:b';
    expect(chosen).toEqual({ directory: join(directory, 'prod'), stackName: 'b', template });
  });
});
