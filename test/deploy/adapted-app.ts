/**
 * The app of `cdk.json` without what MiniStack refuses. `cdk` runs it instead of that app when CDK_APP names it,
 * so that documented commands run unchanged.
 */
import { readdir } from 'node:fs/promises';
import { adaptAssembly } from './assembly.ts';

const assembly = process.env['CDK_OUTDIR'];
if (assembly === undefined) throw new Error('CDK_OUTDIR is missing: only the cdk command runs this app.');
await import('../../bin/app.ts');
const suffix = '.template.json';
const templates = (await readdir(assembly)).filter((name) => name.endsWith(suffix));
for (const name of templates) await adaptAssembly(assembly, name.slice(0, -suffix.length));
