import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { attentions } from '../../lambdas/domain/attention.ts';
import { orderStatuses } from '../../lambdas/domain/fold-order.ts';
import { type SettingName, settingSchemas } from '../../lib/settings.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const trackedFiles = (pattern: string): string[] =>
  execFileSync('git', ['ls-files', pattern], { cwd: root }).toString().trim().split('\n');
const readme = read('README.md');
const manifest = JSON.parse(read('package.json'));

describe('the README', () => {
  it('rounds the costs of docs/cost.md: an idle stack, and a million webhooks', () => {
    const costs = read('docs/cost.md');
    const [, idle] = /^\| \*\*total\*\* \| {2}\| \*\*\$([\d.]+)/m.exec(costs) ?? [];
    const [, webhooks] = /^\| \*\*with the order feed\*\* \| \*\*\$([\d.]+)/m.exec(costs) ?? [];
    const [, whenIdle, perMillion] = /\$(\d+) a month while idle and \$(\d+) per million/.exec(readme) ?? [];
    expect([whenIdle, perMillion]).toEqual([idle, webhooks].map((dollars) => Number(dollars).toFixed()));
  });

  it('leads to every document of docs/, over links from page to page', () => {
    const reached = new Set(['README.md']);
    for (const page of reached) {
      for (const [, target = ''] of read(page).matchAll(/\]\(([^):#\s]+\.md)[#)]/g))
        reached.add(join(dirname(page), target));
    }
    // CONTRIBUTING.md leads to the folder of the decision records.
    const pages = trackedFiles(':(glob)docs/*.md');
    expect(pages).toContain('docs/runbook.md');
    expect(pages.filter((page) => !reached.has(page))).toEqual([]);
  });
});

describe('every document', () => {
  it('names only npm scripts that package.json has', () => {
    const named = trackedFiles('*.md')
      .filter((file) => file !== 'CHANGELOG.md')
      .flatMap((file) => [
        ...read(file).matchAll(/\bnpm run (?:--silent )?([\w:-]+)(?! *[\w:-]*`? *--workspace)/g),
      ])
      .map(([, script = '']) => script);
    expect(named.length).toBeGreaterThan(20);
    expect([...new Set(named)].filter((script) => manifest.scripts[script] === undefined)).toEqual([]);
  });
});

it('docs/order-states.md explains every status and attention, and no other', () => {
  const rows = [...read('docs/order-states.md').matchAll(/^\| (`.*?`) \|/gm)].map(([, cell = '']) => cell);
  const names = rows.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(names.toSorted()).toEqual([...orderStatuses, ...attentions].toSorted());
});

it('the code map of CONTRIBUTING.md has every folder of code', () => {
  const folders = new Set(trackedFiles('*/*').map((file) => file.split('/')[0] ?? ''));
  for (const other of ['.ci', '.github', 'docs', 'test']) folders.delete(other);
  expect([...folders]).toContain('lambdas');
  expect(
    [...folders].filter((name) => !new RegExp(`^\\|.*\\b${name}\\b`, 'm').test(read('CONTRIBUTING.md'))),
  ).toEqual([]);
});

const settingsDocument = read('docs/settings.md');

/** A row names one setting or several, with their defaults in the same order. */
const rows = [...settingsDocument.matchAll(/^\| (`\w+`(?:, `\w+`)*) \|([^|]*)\| \S/gm)].flatMap(
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
