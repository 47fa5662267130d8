export class PortError extends Error {
  override readonly name = 'PortError';
}

/** An error of `listen` as one that shows which flag chooses another port; `undefined` for other errors. */
export function portError(error: unknown, port: number, flag: string): PortError | undefined {
  const reasons: Record<string, string> = { EADDRINUSE: 'in use', EACCES: 'not permitted' };
  const reason = reasons[(error as NodeJS.ErrnoException).code ?? ''];
  if (reason === undefined) return undefined;
  const message = `Port ${port} is ${reason} on 127.0.0.1; choose another with ${flag}.`;
  return new PortError(message, { cause: error });
}
