/** The pipeline cannot be started; the message gives the reason and what to do. */
export class PipelineError extends Error {
  override readonly name = 'PipelineError';
}

/** An error that names the flag of the port; `undefined` for an error that is about something else. */
export function portProblem(error: unknown, port: number, flag: string): PipelineError | undefined {
  const reasons: Record<string, string> = { EADDRINUSE: 'in use', EACCES: 'not permitted' };
  const reason = reasons[(error as NodeJS.ErrnoException).code ?? ''];
  if (reason === undefined) return undefined;
  const message = `Port ${port} is ${reason} on 127.0.0.1; choose another with ${flag}.`;
  return new PipelineError(message, { cause: error });
}
