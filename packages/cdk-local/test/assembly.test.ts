import { getEventListeners } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Assembly, readAssembly, synthesise } from '../src/assembly.ts';

let parent: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'payhooks-test-'));
});
afterAll(() => rm(parent, { recursive: true }));

/** The folder of a program in place of a CDK app, which writes files into the output folder. */
async function writeApp(name: string, program: string, settings: object = {}): Promise<string> {
  const project = join(parent, name);
  await mkdir(project);
  const start = "import { writeFileSync } from 'node:fs'; const out = process.env.CDK_OUTDIR + '/';";
  await writeFile(join(project, 'app.mjs'), `${start}\n${program}`);
  await writeFile(join(project, 'cdk.json'), JSON.stringify({ app: 'node app.mjs', ...settings }));
  return project;
}

const stack = (file: string): string =>
  `{ type: 'aws:cloudformation:stack', properties: { templateFile: '${file}' } }`;
const manifest = (artifacts: string): string =>
  `writeFileSync(out + 'manifest.json', JSON.stringify({ artifacts: ${artifacts} }));`;
const oneStack = manifest(`{ a: ${stack('a.json')}, t: {} }`);

describe('the synthesis of a CDK app', () => {
  it('runs the app with the context of cdk.json and of the call, and removes its folder', async () => {
    const writeContext = "writeFileSync(out + 'a.json', process.env.CDK_CONTEXT_JSON);";
    const given = { environmentName: 'production', kept: 1 };
    const project = await writeApp('good', writeContext + oneStack, { context: given });
    const { signal } = new AbortController();
    const context = { environmentName: 'local' };
    const { directory, remove } = await synthesise({ project, context, signal });
    // An abort after its end ends no other process that has got its number.
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(await readAssembly(directory)).toEqual({
      directory,
      stackName: 'a',
      template: { environmentName: 'local', kept: 1, 'aws:cdk:enable-asset-metadata': true },
    });
    await remove();
    expect(existsSync(directory)).toBe(false);
  });

  it('runs the commands of cdk.json in a shell, with the results of earlier lookups', async () => {
    const writeAll = "writeFileSync(out + 'a.json', JSON.stringify([process.argv[2], process.env]));";
    const commands = { build: 'echo built > built', app: 'node app.mjs "$(cat built)"' };
    const project = await writeApp('built', writeAll + oneStack, { ...commands, context: { stage: 'b' } });
    await writeFile(join(project, 'cdk.context.json'), '{"vpc":"vpc-1","stage":"a"}');
    const { directory, remove } = await synthesise({ project });
    onTestFinished(remove);
    const [built, env] = (await readAssembly(directory)).template as [string, Record<string, string>];
    expect([built, env['CDK_DEFAULT_REGION']]).toEqual(['built', 'us-east-1']);
    expect(JSON.parse(env['CDK_CONTEXT_JSON'] ?? '')).toMatchObject({ vpc: 'vpc-1', stage: 'b' });
  });

  it('fails with what the app printed', async () => {
    const program = "process.stderr.write('port: expected a number\\n'); process.exitCode = 1;";
    const project = await writeApp('bad', program);
    await expect(synthesise({ project })).rejects.toThrow(
      'node app.mjs exited with code 1:\nport: expected a number',
    );
  });

  it('refuses a folder that holds no CDK app', async () => {
    await expect(synthesise({ project: parent })).rejects.toThrow(`${parent} has no cdk.json with an app`);
  });

  it('ends with its app when its signal aborts', async () => {
    const project = await writeApp(
      'slow',
      `process.once('SIGTERM', () => { writeFileSync('ended', ''); process.exit(); });
      setInterval(() => writeFileSync('runs', ''), 10);`,
    );
    const has = (file: string) => existsSync(join(project, file));
    const stop = new AbortController();
    const ended = expect(synthesise({ project, signal: stop.signal })).rejects.toThrow('aborted');
    await expect.poll(() => has('runs')).toBe(true);
    stop.abort();
    await ended;
    await expect.poll(() => has('ended')).toBe(true);
  });
});

it('of several stacks, also of stages, one is chosen, which runs in the account of the emulators', async () => {
  const stage = "{ type: 'cdk:cloud-assembly', properties: { directoryName: 'prod' } }";
  const placed = `{ ...${stack('b.json')}, environment: 'aws://111122223333/eu-central-1' }`;
  const project = await writeApp(
    'two',
    `import { mkdirSync } from 'node:fs'; mkdirSync(out + 'prod'); writeFileSync(out + 'a.json', '{}');
    ${manifest(`{ a: ${stack('a.json')}, stage: ${stage} }`)}
    writeFileSync(out + 'prod/b.json', '"arn:aws:sqs:eu-central-1:111122223333:b"');
    writeFileSync(out + 'prod/manifest.json', JSON.stringify({ artifacts: { b: ${placed} } }));`,
  );
  const { directory, remove } = await synthesise({ project });
  onTestFinished(remove);
  await expect(readAssembly(directory)).rejects.toThrow('has 2 stacks (a, b); expected exactly one');
  const chosen = await readAssembly(directory, (stacks) => stacks.at(-1) as Assembly);
  const template = 'arn:aws:sqs:us-east-1:000000000000:b';
  expect(chosen).toEqual({ directory: join(directory, 'prod'), stackName: 'b', template });
});
