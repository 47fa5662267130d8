import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface PrivateKeys {
  readonly live: string;
  readonly sandbox: string;
}

/** Random keys; with a data directory, those that its first start generated. */
export async function generatedKeys(dataDirectory: string | undefined): Promise<PrivateKeys> {
  const keys = {
    live: `pri_${randomBytes(24).toString('hex')}`,
    sandbox: `pri_sandbox_${randomBytes(24).toString('hex')}`,
  };
  if (dataDirectory === undefined) return keys;
  const file = join(dataDirectory, 'keys.json');
  try {
    return JSON.parse(await readFile(file, 'utf8')) as PrivateKeys;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  await writeFile(`${file}.next`, JSON.stringify(keys), { mode: 0o600 });
  await rename(`${file}.next`, file);
  return keys;
}
