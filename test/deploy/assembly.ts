import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mends, withheldResources } from './known-differences.ts';

export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DependsOn?: string | readonly string[];
}

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, unknown>>;
}

/** What was made of a template, for MiniStack to take it. */
export interface Adapted {
  readonly template: Template;
  /** The logical ids of what was left out. */
  readonly withheld: readonly string[];
  /** The known differences that this template gave no reason for. */
  readonly unneeded: readonly string[];
}

/**
 * Rewrites the template of a stack in a cloud assembly, as `known-differences.ts` lists it. The constructs know
 * nothing of MiniStack: what they synthesise is what AWS gets.
 */
export async function adaptAssembly(assembly: string, stackName: string): Promise<Adapted> {
  const file = join(assembly, `${stackName}.template.json`);
  const adapted = adaptTemplate(JSON.parse(await readFile(file, 'utf8')) as Template);
  await writeFile(file, JSON.stringify(adapted.template));
  return adapted;
}

/** Throws when something that stays needs something that is left out. */
function adaptTemplate(template: Template): Adapted {
  const resources = Object.entries(template.Resources);
  const leaves = (resource: Resource): boolean => withheldResources.some(({ matches }) => matches(resource));
  const withheld = resources.filter(([, resource]) => leaves(resource)).map(([id]) => id);
  const kept = resources
    .filter(([, resource]) => !leaves(resource))
    .map(([id, resource]) => [id, withoutDependencies(resource, withheld)] as const);
  const broken = kept.filter(([, resource]) => refersToAny(resource, withheld)).map(([id]) => id);
  if (broken.length > 0) throw new Error(`${broken} refer to what MiniStack refuses: ${withheld}.`);
  const outputs = Object.entries(template.Outputs ?? {}).filter(
    ([, output]) => !refersToAny(output, withheld),
  );
  const rest: Template = {
    ...template,
    Resources: Object.fromEntries(kept),
    Outputs: Object.fromEntries(outputs),
  };
  const unneeded = [
    ...withheldResources.filter(({ matches }) => !resources.some(([, resource]) => matches(resource))),
    ...mends.filter(({ mend }) => JSON.stringify(mend(rest)) === JSON.stringify(rest)),
  ].map(({ fact }) => fact);
  return { template: mends.reduce((mended, { mend }) => mend(mended), rest), withheld, unneeded };
}

function withoutDependencies(resource: Resource, withheld: readonly string[]): Resource {
  const { DependsOn, ...rest } = resource;
  if (DependsOn === undefined) return resource;
  return { ...rest, DependsOn: [DependsOn].flat().filter((id) => !withheld.includes(id)) };
}

/** By `Ref`, by `Fn::GetAtt`, or within the text of an `Fn::Sub`. */
function refersToAny(value: unknown, ids: readonly string[]): boolean {
  const text = JSON.stringify(value);
  return ids.some((id) => text.includes(`"${id}"`) || text.includes(`\${${id}`));
}
