import type { Runbook } from '../../contract/runbook.ts';
import type { ConsoleContext, ConsoleRoute } from '../context.ts';
import { ConsoleProblem } from '../problem.ts';
import { createRunbook } from './runbook.ts';

export function runbookRoute({ stack }: ConsoleContext): ConsoleRoute {
  let readRunbook: ReturnType<typeof createRunbook> | undefined;
  return {
    method: 'GET',
    path: '/console/api/runbook/{alarm}',
    async handle({ parameters: { alarm = '' } }): Promise<Runbook> {
      readRunbook ??= createRunbook(await stack());
      const runbook = readRunbook(alarm);
      if (runbook !== undefined) return runbook;
      throw new ConsoleProblem(
        404,
        'The runbook of this version has no section for this alarm: its name is misspelt, or a newer ' +
          'version of payhooks deployed it.',
      );
    },
  };
}
