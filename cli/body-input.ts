import { open } from 'node:fs/promises';
import { CommandError } from './command-error.ts';
import type { Session } from './session.ts';

/** The bytes of a file; `-` is standard input. */
export async function readBody({ input }: Session, path: string, bytesMax: number): Promise<Buffer> {
  if (path === '-') return input.readAll(bytesMax);
  try {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      if (size > bytesMax) throw new CommandError('wrongUsage', `${path} has more than ${bytesMax} bytes.`);
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    const reasons: Record<string, string> = { ENOENT: 'it does not exist', EISDIR: 'it is a directory' };
    const reason = reasons[code ?? ''] ?? String(code);
    throw new CommandError('wrongUsage', `The file ${path} cannot be read: ${reason}.`, { cause });
  }
}
