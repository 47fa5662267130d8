import { ConfigurationError, readConfiguration } from '../../lib/configuration.ts';

export type Context = Readonly<Record<string, unknown>>;

/** The configuration of an environment called production, whose settings are given on the command line. */
export const read = (context: Context) =>
  readConfiguration((key) => ({ environmentName: 'production', ...context })[key]);

/** The problems that a context is refused with; fails when it is accepted. */
export function problemsOf(context: Context): readonly string[] {
  try {
    read(context);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  throw new Error('the configuration was accepted');
}
