import type { LaboratoryRun, LaboratoryView } from '../../console/contract/laboratory.ts';
import type { ConsoleRoute } from '../../console/server/context.ts';
import { ConsoleProblem } from '../../console/server/problem.ts';
import type { Laboratory } from './laboratory.ts';

/** The resources of the console that only local mode has. Without a laboratory it has not started yet. */
export function laboratoryRoutes(find: () => Laboratory | undefined): readonly ConsoleRoute[] {
  function laboratory(): Laboratory {
    const found = find();
    if (found === undefined) throw new ConsoleProblem(503, 'Local mode is starting; try again in a moment.');
    return found;
  }
  return [
    {
      method: 'GET',
      path: '/console/api/laboratory',
      handle: async (): Promise<LaboratoryView> => laboratory().view(),
    },
    {
      method: 'POST',
      path: '/console/api/laboratory/{experiment}',
      async handle({ parameters: { experiment = '' } }): Promise<LaboratoryRun> {
        const start = laboratory().start(experiment);
        if (start.ok) return start.run;
        throw new ConsoleProblem(start.status, start.detail);
      },
    },
  ];
}
