import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plugin } from 'esbuild';

/** A mistake that someone could make in the sources, as exact replacements of their text. */
export interface Bug {
  readonly name: string;
  /** What the code does then, for the table in docs/reliability.md. */
  readonly does: string;
  readonly edits: readonly Edit[];
}

interface Edit {
  /** From the root of the repository. */
  readonly file: string;
  /** It must be in the file exactly once. */
  readonly text: string;
  readonly by: string;
}

export const edit = (file: string, text: string, by: string): Edit => ({ file: `lambdas/${file}`, text, by });
export const bug = (name: string, does: string, ...edits: readonly Edit[]): Bug => ({ name, does, edits });

/** The source with the bug in it. Throws when an edit no longer matches: the bug must be written anew. */
export function withBug({ name, edits }: Bug, file: string, source: string): string {
  return edits
    .filter((edit) => edit.file === file)
    .reduce((changed, { text, by }) => {
      const found = changed.split(text).length - 1;
      if (found === 1) return changed.replace(text, () => by);
      throw new Error(
        `The bug ${name} expects this text once in ${file}, where it is ${found} times: ` +
          `${JSON.stringify(text)}. Write the bug for the code of today, in tools/simulation/bugs.`,
      );
    }, source);
}

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
