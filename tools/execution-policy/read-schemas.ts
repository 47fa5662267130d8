/**
 * Writes `handler-permissions.json`: what CloudFormation calls to create, read, update, tag and delete a
 * resource of each type, as AWS's registry of resource types states it. The PyPI package cfn-lint (MIT-0)
 * carries the registry:
 *
 * `node tools/execution-policy/read-schemas.ts SITE-PACKAGES/cfnlint/data/schemas/resources`
 *
 * It reads the types that the file has, and those that are named after the folder.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Schema {
  readonly typeName: string;
  readonly handlers?: Readonly<Record<string, { readonly permissions: readonly string[] }>>;
  readonly tagging?: { readonly permissions?: readonly string[] };
}

const file = join(import.meta.dirname, 'handler-permissions.json');
const [folder = '', ...added] = process.argv.slice(2);
const types = new Set([...Object.keys(JSON.parse(readFileSync(file, 'utf8'))), ...added]);
const found = new Map<string, Set<string>>();
for (const name of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
  const { typeName, handlers = {}, tagging } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Schema;
  if (!types.has(typeName)) continue;
  const { list: _, ...others } = handlers;
  const permissions = [
    ...Object.values(others).flatMap((one) => one.permissions),
    ...(tagging?.permissions ?? []),
  ];
  // A type has one schema for each form that it has in some region.
  found.set(typeName, new Set([...(found.get(typeName) ?? []), ...permissions]));
}
const missing = [...types].filter((type) => !found.has(type));
if (missing.length > 0) throw new Error(`${folder} has no schema of ${missing.join(', ')}.`);
const sorted = [...found].toSorted(([one], [other]) => one.localeCompare(other));
const content = Object.fromEntries(sorted.map(([type, permissions]) => [type, [...permissions].toSorted()]));
writeFileSync(file, `${JSON.stringify(content, undefined, 2)}\n`);
