import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { type SettingName, settingSchemas } from '../../lib/settings.ts';

const document = readFileSync(join(import.meta.dirname, '../../docs/settings.md'), 'utf8');

/** A row names one setting or several, with their defaults in the same order. */
const rows = [...document.matchAll(/^\| (`\w+`(?:, `\w+`)*) \|([^|]*)\| \S/gm)].flatMap(
  ([, names, given]) => {
    const defaults = (given ?? '').trim();
    const settings = [...(names ?? '').matchAll(/\w+/g)].map(([name]) => name);
    const each = settings.length > 1 && defaults !== '' ? defaults.split(', ') : settings.map(() => defaults);
    return settings.map((name, index) => ({ name, default: (each[index] ?? '').replaceAll('`', '') }));
  },
);

/** Defaults that are no value of the schema. */
const inWords: Partial<Record<SettingName, string>> = {
  sequenceBase: '0',
  bootstrapQualifier: "CDK's own",
  eventRetentionDays: 'forever',
};

describe('docs/settings.md', () => {
  it('lists every setting once, and no other', () => {
    const names = ['environmentName', ...Object.keys(settingSchemas)];
    expect(rows.map(({ name }) => name).sort()).toEqual(names.toSorted());
  });

  it('states the default of every setting', () => {
    const stated = Object.fromEntries(rows.map((row) => [row.name, row.default]));
    const names = Object.keys(settingSchemas) as SettingName[];
    const defaults = names.map((name) => {
      const value = v.getDefault(settingSchemas[name]);
      return [name, inWords[name] ?? String(value ?? '')] as const;
    });
    expect(stated).toEqual({ environmentName: 'production', ...Object.fromEntries(defaults) });
  });
});
