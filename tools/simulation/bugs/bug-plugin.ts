import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import { type Bug, withBug } from './bug.ts';

const repository = join(import.meta.dirname, '..', '..', '..');

/** Bundles the sources with a bug in them: the files on disk never hold it. */
export const bugPlugin = (bug: Bug): Plugin => ({
  name: `bug ${bug.name}`,
  setup(build) {
    const files = new Set(bug.edits.map(({ file }) => file));
    build.onLoad({ filter: /[/\\]lambdas[/\\].*\.ts$/ }, ({ path }) => {
      const file = relative(repository, path).replaceAll('\\', '/');
      if (!files.has(file)) return undefined;
      return { contents: withBug(bug, file, readFileSync(path, 'utf8')), loader: 'ts' };
    });
  },
});
