/**
 * An app, that of `cdk.json` by default, without what MiniStack refuses. `cdk` runs this instead when CDK_APP names it,
 * so that documented commands run unchanged.
 */
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { adaptAssembly } from './assembly.ts';

const assembly = process.env['CDK_OUTDIR'];
if (assembly === undefined) throw new Error('CDK_OUTDIR is missing: only the cdk command runs this app.');
const [app = join(import.meta.dirname, '../../bin/app.ts')] = process.argv.slice(2);
await import(resolve(app));
// An app that does not call `synth` is synthesised here, by a listener before this one.
process.once('beforeExit', async () => {
  const suffix = '.template.json';
  const templates = (await readdir(assembly)).filter((name) => name.endsWith(suffix));
  for (const name of templates) await adaptAssembly(assembly, name.slice(0, -suffix.length));
});
