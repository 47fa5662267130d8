import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { synthesise } from './synthesis.ts';
import { variants } from './variants.ts';

/** Some types take a list of tags, some an object. */
const tagsOf = (tags: unknown): unknown =>
  Array.isArray(tags) ? Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value])) : tags;

it('every resource has the tags of its stack, but for the types that docs/settings.md lists', () => {
  const untagged = new Set<string>();
  for (const [variant, settings] of Object.entries(variants)) {
    const environment = variant === 'development' ? 'development' : 'production';
    for (const [id, { Type, Properties }] of synthesise(settings).resources) {
      if (Properties['Tags'] === undefined) untagged.add(Type);
      else expect(tagsOf(Properties['Tags']), id).toEqual({ application: 'payhooks', environment });
    }
  }
  const document = readFileSync(join(import.meta.dirname, '../../docs/settings.md'), 'utf8');
  const [, section = ''] = document.split('\n## Tags\n');
  const listed = [...section.matchAll(/`(AWS::\w+::\w+)`/g)].map(([, type]) => type);
  expect([...untagged].sort()).toEqual(listed.toSorted());
});
