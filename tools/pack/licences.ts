import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPermitted } from '../../bin/licences.ts';

/** Some packages of the AWS SDK come without the text, which is that of their neighbours. */
const neighbour = '../core/LICENSE';

/** The licences of the packages that these files come from: each text once, below those that have it. */
export function licencesOf(files: Iterable<string>): string {
  const folders = [...files].map((file) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? '');
  const packages = new Map<string, string[]>();
  for (const folder of new Set(folders.filter((path) => path !== '').sort())) {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file));
    if (texts.length === 0 && name.startsWith('@aws-sdk/')) texts.push(neighbour);
    if (!isPermitted(license) || texts.length === 0) {
      throw new Error(
        `${name}@${version} cannot be bundled: its licence is "${license}", in ${texts.length} files; ` +
          'expected a licence that bin/licences.ts permits, with its text.',
      );
    }
    const text = texts.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
    packages.set(text, [...(packages.get(text) ?? []), `${name}@${version} (${license})`]);
  }
  const sections = [...packages].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`);
  return `This package contains code of these packages.\n\n${sections.join(`\n${'-'.repeat(80)}\n\n`)}`;
}
