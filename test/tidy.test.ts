import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as limits from '../lambdas/contract/limits.ts';
import { metricNames } from '../lambdas/contract/metrics.ts';

const root = join(import.meta.dirname, '..');
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const linesOf = (file: string): string[] => read(file).split('\n');
const code = tracked.filter((file) => /\.(ts|cjs|js)$/.test(file));
/** Written by a program from another file that is held to all of this. */
const generated = ['client/openapi-types.ts'];
const isTest = (file: string): boolean => /^(packages\/[^/]+\/)?test\//.test(file);
const sources = code.filter((file) => !isTest(file) && !generated.includes(file));
const documents = tracked.filter((file) => file.endsWith('.md'));

/** Every place in `files` where `pattern` stands, as file:line. */
const places = (files: readonly string[], pattern: RegExp): string[] =>
  files.flatMap((file) =>
    linesOf(file).flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}`] : [])),
  );

interface Locked {
  readonly version?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Where Node would look for `name` from a package at `path`, nearest first. */
function locations(path: string, name: string): string[] {
  const parents = path
    .split('/node_modules/')
    .map((_, depth, parts) => parts.slice(0, depth + 1).join('/node_modules/'));
  return [...parents.map((parent) => (parent === '' ? '' : `${parent}/`)), ''].map(
    (prefix) => `${prefix}node_modules/${name}`,
  );
}

describe('the repository', () => {
  it('has files to check', () => {
    expect(sources.length).toBeGreaterThan(40);
    expect(documents.length).toBeGreaterThan(5);
  });

  it('keeps every source to 200 lines and every test to 400', () => {
    const limit = (file: string): number => (isTest(file) ? 400 : 200);
    const written = code.filter((file) => !generated.includes(file));
    expect(written.filter((file) => linesOf(file).length > limit(file))).toEqual([]);
  });

  it('keeps every line of a source to 110 characters, and of a test to 120', () => {
    expect(places(sources, /^.{111,}$/)).toEqual([]);
    expect(places(code, /^.{121,}$/)).toEqual([]);
  });

  it("has no file with nobody's name", () => {
    const nobodys = /^(utils?|helpers?|common|shared|misc)(\.|$)/;
    expect(code.filter((file) => file.split('/').some((part) => nobodys.test(part)))).toEqual([]);
  });

  it('only composes in handlers, in 25 lines', () => {
    const handlers = sources.filter((file) => basename(file) === 'handler.ts');
    expect(handlers.length).toBeGreaterThanOrEqual(3);
    expect(handlers.filter((file) => linesOf(file).length > 26)).toEqual([]);
  });

  it('skips no test and leaves none alone', () => {
    expect(places(code, /\b(it|test|describe)\.(skip|only|todo)\b/)).toEqual([]);
  });

  it('speaks of no path of one machine and locks no download address', () => {
    expect(places(tracked, /\/(home|root|work|Users)\/[a-z]/)).toEqual([]);
    expect(places(['package-lock.json'], /"resolved": *"http/)).toEqual([]);
  });

  it('locks the packages of every platform, and not only those of the machine that wrote the lock', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter(
          (name) => !locations(path, name).some((location) => packages[location]?.version !== undefined),
        )
        .map((name) => `${name} of ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it('says nothing of a merchant who has written his settings into cdk.json', () => {
    const readers = code.filter((file) => /from '[./]+\/cdk\.json'/.test(read(file)));
    expect(readers).toEqual(['test/doubles/shipped-context.ts', 'test/infra/configuration.test.ts']);
  });

  it('pins every dependency exactly', () => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json'));
    const versions = Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(String(version)))).toEqual([]);
  });

  it('sets no dead bound and counts no metric that nobody emits', () => {
    const all = sources
      .filter((file) => !['lambdas/contract/limits.ts', 'lambdas/contract/metrics.ts'].includes(file))
      .map(read)
      .join('\n');
    const dead = Object.keys(limits).filter((name) => !all.includes(name));
    expect(dead).toEqual([]);
    expect(Object.keys(metricNames).filter((name) => !all.includes(`metricNames.${name}`))).toEqual([]);
  });
});

describe('the documents', () => {
  it('link only to what is there', () => {
    const dead = documents.flatMap((file) =>
      [...read(file).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
        .map(([, target]) => target ?? '')
        .filter((target) => !existsSync(join(root, dirname(file), target)))
        .map((target) => `${file} → ${target}`),
    );
    expect(dead).toEqual([]);
  });

  it('give every assumption of the code its reason', () => {
    const inCode = new Set(
      sources.flatMap((file) => [...read(file).matchAll(/\b(A\d+)\b[.)]/g)].map(([, id]) => id)),
    );
    const explained = new Set(
      [...read('docs/assumptions.md').matchAll(/^## (A\d+)\b/gm)].map(([, id]) => id),
    );
    expect(inCode.size).toBeGreaterThan(2);
    expect([...inCode].filter((id) => !explained.has(id))).toEqual([]);
  });

  it('keep each decision record to one page', () => {
    const records = documents.filter((file) => file.startsWith('docs/adr/'));
    expect(records.length).toBeGreaterThan(3);
    expect(records.filter((file) => linesOf(file).length > 42)).toEqual([]);
  });
});
