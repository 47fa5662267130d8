import { createHash } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keptSettings, type StoredTemplate } from '../releases/kept-release.ts';
import type { Template } from './assembly.ts';

const stackName = `payhooks-${keptSettings.environmentName}`;

/**
 * A cloud assembly with the template of a release, made from an unadapted one of today. The functions get today's
 * bundles, since those of the release are not kept; everything else of them, variables included, is the release's.
 */
export async function createReleaseAssembly(
  today: string,
  { template, folder }: { readonly template: StoredTemplate; readonly folder: string },
): Promise<string> {
  await cp(today, folder, { recursive: true });
  const templateFile = join(folder, `${stackName}.template.json`);
  const current = JSON.parse(await readFile(templateFile, 'utf8')) as Template;
  const text = JSON.stringify(withCodeOf(template as Template, current));
  await writeFile(templateFile, text);
  // The CLI uploads a template under its hash, and takes what is there under that name already.
  const hash = createHash('sha256').update(text).digest('hex');
  const currentHash = await templateHash(folder);
  for (const file of ['manifest.json', `${stackName}.assets.json`]) {
    const content = await readFile(join(folder, file), 'utf8');
    await writeFile(join(folder, file), content.replaceAll(currentHash, hash));
  }
  return folder;
}

async function templateHash(assembly: string): Promise<string> {
  const { files } = JSON.parse(await readFile(join(assembly, `${stackName}.assets.json`), 'utf8')) as {
    readonly files: Readonly<Record<string, { readonly source: { readonly path: string } }>>;
  };
  const [hash] = Object.entries(files).find(([, { source }]) => source.path.endsWith('.template.json')) ?? [];
  if (hash === undefined) throw new Error(`The cloud assembly ${assembly} holds no template.`);
  return hash;
}

/** Throws when a function of the release is not there any more. */
function withCodeOf(release: Template, today: Template): Template {
  const resources = Object.entries(release.Resources).map(([id, resource]) => {
    if (resource.Type !== 'AWS::Lambda::Function') return [id, resource] as const;
    const Code = today.Resources[id]?.Properties?.['Code'];
    if (Code === undefined) throw new Error(`Today there is no function ${id}.`);
    return [id, { ...resource, Properties: { ...resource.Properties, Code } }] as const;
  });
  return { ...release, Resources: Object.fromEntries(resources) };
}
