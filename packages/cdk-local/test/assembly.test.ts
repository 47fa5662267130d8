import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAssembly, synthesise } from '../src/assembly.ts';

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

  it('refuses an assembly with more than one stack', async () => {
    const app = await writeApp('two.mjs', manifest(`{ a: ${stack('a.json')}, b: ${stack('b.json')} }`));
    const { directory, remove } = await synthesise({ project, app });
    await expect(readAssembly(directory)).rejects.toThrow(
      `${directory} holds 2 stacks; expected exactly one.`,
    );
    await remove();
  });

  it('ends when its signal aborts', async () => {
    const app = await writeApp('slow.mjs', 'setInterval(() => {}, 1000);');
    await expect(synthesise({ project, app, signal: AbortSignal.timeout(100) })).rejects.toThrow('aborted');
  });
});
