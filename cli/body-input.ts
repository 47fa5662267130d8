import { open } from 'node:fs/promises';
import { CommandError } from '../operator/operator-error.ts';
import type { Session } from './session.ts';

/** The bytes of a file; `-` is standard input. */
export async function readBody({ input }: Session, path: string, bytesMax: number): Promise<Buffer> {
  return path === '-' ? input.readAll(bytesMax) : readGivenFile(path, bytesMax);
}

/** The bytes of a file that an option names. Rejects with the reason when it cannot be read. */
export async function readGivenFile(path: string, bytesMax: number): Promise<Buffer> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    if (size > bytesMax) throw new CommandError('wrongUsage', `${path} has more than ${bytesMax} bytes.`);
    return await file.readFile();
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    const reasons: Record<string, string> = { ENOENT: 'it does not exist', EISDIR: 'it is a directory' };
    const reason = reasons[code ?? ''] ?? String(code);
    throw new CommandError('wrongUsage', `The file ${path} cannot be read: ${reason}.`, { cause });
  }
}
