import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as thresholds from '../../lambdas/contract/alarm-thresholds.ts';
import * as limits from '../../lambdas/contract/limits.ts';
import { metricNames } from '../../lambdas/contract/metrics.ts';
import * as operationsLimits from '../../lambdas/contract/operations-limits.ts';

const root = join(import.meta.dirname, '../..');
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const linesOf = (file: string): string[] => read(file).split('\n');
const code = tracked.filter((file) => /\.(tsx?|cjs|js|css)$/.test(file));
const isTest = (file: string): boolean => /^(packages\/[^/]+\/)?test\/|\.test\.ts$/.test(file);
const sources = code.filter((file) => !isTest(file));
const documents = tracked.filter((file) => file.endsWith('.md'));
const isText = (file: string): boolean => !/\.(png|svg|json)$/.test(file);

/** The lines of `files` that match `pattern`, as file:line. */
const places = (files: readonly string[], pattern: RegExp): string[] =>
  files.flatMap((file) =>
    linesOf(file).flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}`] : [])),
  );

/** The anchors of the headings of a document, as GitHub makes them. */
const anchorsOf = (file: string): string[] =>
  [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );

interface Locked {
  readonly version?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface LintOverride {
  readonly includes: readonly string[];
  readonly linter?: { readonly rules?: { readonly style?: { readonly noRestrictedImports?: unknown } } };
}

describe('the repository', () => {
  it('keeps every source file to 200 lines and every test file to 400', () => {
    const limit = (file: string): number => (isTest(file) ? 400 : 200);
    expect(code.filter((file) => linesOf(file).length > limit(file))).toEqual([]);
  });

  it('keeps every line of a source file to 110 characters, and of a test file to 120', () => {
    expect(places(sources, /^.{111,}$/)).toEqual([]);
    expect(places(code, /^.{121,}$/)).toEqual([]);
  });

  it('names no file or folder utils, helpers, common, shared or misc', () => {
    const vague = /^(utils?|helpers?|common|shared|misc)(\.|$)/;
    expect(code.filter((file) => file.split('/').some((part) => vague.test(part)))).toEqual([]);
  });

  it('uses plain words where payhooks once had a dialect', () => {
    const dialect =
      /\b(tells?|told|mend\w*|whoever|somebody|twins?|owe[sd]?|so often|by then|for ever|alarms? rings?|in the way)\b/i;
    const texts = tracked.filter(
      (file) => /\.(tsx?|js|cjs|css|md|html|yaml|yml)$/.test(file) && file !== 'test/repository/tidy.test.ts',
    );
    expect(places(texts, dialect)).toEqual([]);
  });

  it('has no mark of a conflict left from a merge', () => {
    expect(places(tracked.filter(isText), /^(<{7}|>{7}) /)).toEqual([]);
  });

  it('skips no test and singles none out', () => {
    expect(places(code, /\b(it|test|describe)\.(skip|only|todo)\b/)).toEqual([]);
  });

  it('names no path of one machine and no download address in the lock file', () => {
    expect(places(tracked, /\/(home|root|work|Users)\/[a-z]/)).toEqual([]);
    expect(places(['package-lock.json'], /"resolved": *"http/)).toEqual([]);
  });

  it('locks the packages of every platform, not only those of the machine that wrote the lock file', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };
    const optional = Object.values(packages).flatMap((one) => Object.keys(one.optionalDependencies ?? {}));
    const locked = new Set(
      Object.entries(packages).flatMap(([path, { version }]) =>
        version === undefined ? [] : [path.split('node_modules/').at(-1)],
      ),
    );
    expect(optional.length).toBeGreaterThan(50);
    expect(optional.filter((name) => !locked.has(name))).toEqual([]);
  });

  it('passes its tests whatever settings a merchant writes into cdk.json', () => {
    const readers = code.filter((file) => /from '[./]+\/cdk\.json'/.test(read(file)));
    // The first takes only feature flags.
    expect(readers).toEqual([
      'cli/init/files.ts',
      'test/doubles/shipped-context.ts',
      'test/lib/configuration.test.ts',
    ]);
  });

  it('restricts the imports of a folder in one place, because the last override would hide the others', () => {
    const { overrides } = JSON.parse(read('biome.json')) as { overrides: LintOverride[] };
    const restricted = overrides
      .filter(({ linter }) => linter?.rules?.style?.noRestrictedImports !== undefined)
      .flatMap(({ includes }) => includes);
    expect(restricted).toContain('console/server/**');
    expect(restricted.filter((folder, index) => restricted.indexOf(folder) !== index)).toEqual([]);
  });

  it('pins every dependency exactly', () => {
    const manifests = tracked.filter((file) => basename(file) === 'package.json');
    const versions = manifests.flatMap((file) => {
      const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read(file));
      return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    });
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(String(version)))).toEqual([]);
  });

  it('uses every limit and emits every metric that it defines', () => {
    const all = sources
      .filter(
        (file) =>
          !/^lambdas\/(contract\/)?(alarm-thresholds|limits|operations-limits|metrics)\.ts$/.test(file),
      )
      .map(read)
      .join('\n');
    const bounds = Object.keys({ ...thresholds, ...limits, ...operationsLimits });
    expect(bounds.filter((name) => !all.includes(name))).toEqual([]);
    expect(Object.keys(metricNames).filter((name) => !all.includes(`metricNames.${name}`))).toEqual([]);
  });
});

describe('the documents', () => {
  it('link only to files and headings that exist', () => {
    const links = documents.flatMap((file) =>
      [...read(file).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
        ([, target = '', heading]) => ({ file, path: target && join(dirname(file), target), heading }),
      ),
    );
    const dead = links.filter(({ file, path, heading }) => {
      if (path !== '' && !existsSync(join(root, path))) return true;
      return heading !== undefined && !anchorsOf(path === '' ? file : path).includes(heading);
    });
    expect(dead).toEqual([]);
    expect(links.length).toBeGreaterThan(300);
  });

  it('name only paths that exist in code spans', () => {
    const folders = 'bin|cli|client|console|docs|lambdas|lib|local|packages|test|tools|\\.ci|\\.github';
    const path = new RegExp(`\`((?:${folders})/[\\w./-]+)\``, 'g');
    // The changelog also names what a later release removed.
    const current = documents.filter((file) => file !== 'CHANGELOG.md');
    const named = current.flatMap((file) =>
      [...read(file).matchAll(path)].map(([, target = '']) => ({ file, target })),
    );
    expect(named.length).toBeGreaterThan(30);
    // The README of a package names paths from its own folder too.
    const missing = named.filter(
      ({ file, target }) => ![root, join(root, dirname(file))].some((from) => existsSync(join(from, target))),
    );
    expect(missing).toEqual([]);
  });

  it('explain every assumption that the code names', () => {
    const named = new Set(
      sources.flatMap((file) => [...read(file).matchAll(/\b(A\d+)\b[.)]/g)].map(([, id]) => id)),
    );
    const explained = new Set(
      [...read('docs/assumptions.md').matchAll(/^## (A\d+)\b/gm)].map(([, id]) => id),
    );
    expect(named.size).toBeGreaterThan(2);
    expect([...named].filter((id) => !explained.has(id))).toEqual([]);
  });
});
