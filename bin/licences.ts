import { billOfMaterials } from './sbom.ts';

/** Licences that require no more than their text and a notice. Any other one is refused, known or not. */
const permitted = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
];

export interface Component {
  readonly name: string;
  readonly version: string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string; readonly name?: string };
    readonly expression?: string;
  }[];
}

/** What ships and was written by others: a private package is our own. */
export function shippedComponents(folder?: string): readonly Component[] {
  const { components } = JSON.parse(billOfMaterials(folder)) as { readonly components: readonly Component[] };
  const isPrivate = ({ properties = [] }: Component): boolean =>
    properties.some(({ name, value }) => name === 'cdx:npm:package:private' && value === 'true');
  return components.filter((component) => !isPrivate(component));
}

/** The SPDX expression that a package gives itself; empty when it gives none. */
export const licenceOf = ({ licenses: [first] = [] }: Component): string =>
  first?.expression ?? first?.license?.id ?? first?.license?.name ?? '';

/**
 * Whether permitted licences satisfy an SPDX expression: one side of an OR is enough, an AND needs both. A
 * text that is no such expression, such as "SEE LICENSE IN LICENSE.txt", is refused. The npm packages that
 * read these expressions bring data under CC-BY-3.0, which this list would refuse.
 */
export function isPermitted(expression: string): boolean {
  const plain = expression.replace(/^\(([^()]*)\)$/, '$1');
  if (plain.includes(' OR ')) return plain.split(' OR ').some(isPermitted);
  if (plain.includes(' AND ')) return plain.split(' AND ').every(isPermitted);
  return permitted.includes(plain);
}

if (import.meta.main) {
  const components = shippedComponents(process.argv[2]);
  for (const component of components) {
    const { name, version } = component;
    process.stdout.write(`${licenceOf(component).padEnd(26)} ${name}@${version}\n`);
  }
  const refused = components.filter((component) => !isPermitted(licenceOf(component)));
  for (const component of refused) {
    process.stderr.write(
      `${component.name}@${component.version} has the licence "${licenceOf(component)}"; ` +
        `expected one of ${permitted.join(', ')}.\n`,
    );
  }
  if (refused.length === 0)
    process.stdout.write(`${components.length} packages, all with permitted licences.\n`);
  else process.exitCode = 1;
}
