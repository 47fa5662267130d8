import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import type { Rule } from '../checker/violation.ts';

/** A mistake that someone could make in the sources, as exact replacements of their text. */
export interface Bug {
  /** The rule that the checker must find broken. */
  readonly breaks: Rule;
  /** What the code does then, as `npm run simulate-faults -- --bugs` prints it. */
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
export const bug = (breaks: Rule, does: string, ...edits: readonly Edit[]): Bug => ({ breaks, does, edits });

/** The source with these edits. Throws when one no longer matches: it must be written anew. */
export function edited(edits: readonly Edit[], file: string, source: string): string {
  return edits
    .filter((edit) => edit.file === file)
    .reduce((changed, { text, by }) => {
      const found = changed.split(text).length - 1;
      if (found === 1) return changed.replace(text, () => by);
      throw new Error(
        `An edit expects this text once in ${file}, where it is ${found} times: ` +
          `${JSON.stringify(text)}. Write it for the code of today, in tools/simulation.`,
      );
    }, source);
}

const repository = join(import.meta.dirname, '..', '..', '..');

/** Bundles the sources with these edits: the files on disk never hold them. */
export const editPlugin = (edits: readonly Edit[]): Plugin => ({
  name: 'edited sources',
  setup(build) {
    const files = new Set(edits.map(({ file }) => file));
    build.onLoad({ filter: /[/\\]lambdas[/\\].*\.ts$/ }, ({ path }) => {
      const file = relative(repository, path).replaceAll('\\', '/');
      if (!files.has(file)) return undefined;
      return { contents: edited(edits, file, readFileSync(path, 'utf8')), loader: 'ts' };
    });
  },
});
