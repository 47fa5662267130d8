import { readFile, rename, writeFile } from 'node:fs/promises';

export interface SecretsFile<Entry> {
  /** What was saved last; nothing when the file does not exist yet. */
  load(): Promise<Entry[]>;
  /** Resolves when the entries, as they are now or later, are in the file. */
  save(entries: () => Entry[]): Promise<void>;
}

/**
 * A file that only its owner can read and that is replaced as a whole, so that a kill leaves the old or the
 * new one.
 */
export function createSecretsFile<Entry>(path: string | undefined): SecretsFile<Entry> {
  let saved: Promise<void> = Promise.resolve();
  return {
    async load() {
      if (path === undefined) return [];
      try {
        return JSON.parse(await readFile(path, 'utf8')) as Entry[];
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
        throw error;
      }
    },
    save(entries) {
      if (path === undefined) return saved;
      // One after the other: two writers would share the temporary file.
      saved = saved
        .catch(() => {})
        .then(async () => {
          await writeFile(`${path}.next`, JSON.stringify(entries()), { mode: 0o600 });
          await rename(`${path}.next`, path);
        });
      return saved;
    },
  };
}
