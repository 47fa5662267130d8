import { useEffect, useState } from 'preact/hooks';
import type { ExperimentName, LaboratoryRun, LaboratoryView } from '../../contract/laboratory.ts';
import { ApiError, postApi } from '../data/api.ts';
import { type ApiQuery, useApi } from '../data/use-api.ts';

const path = '/console/api/laboratory';
/** Between two looks at a run: its steps come one by one. */
const runningMilliseconds = 500;

export interface UseLaboratory {
  readonly query: ApiQuery<LaboratoryView>;
  /** Why an experiment could not be started, until the next start. */
  readonly refusal: { readonly experiment: ExperimentName; readonly error: ApiError } | undefined;
  start(experiment: ExperimentName): Promise<void>;
}

/** The experiments and their runs; a run that goes on is looked at twice a second. */
export function useLaboratory(): UseLaboratory {
  const query = useApi<LaboratoryView>(path);
  const [refusal, setRefusal] = useState<UseLaboratory['refusal']>();
  const { refetch, data } = query;
  const isRunning = data?.runs.some((run) => run.ended_at === null) ?? false;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => void refetch(), runningMilliseconds);
    return () => clearInterval(timer);
  }, [isRunning, refetch]);
  return {
    query,
    refusal,
    async start(experiment) {
      setRefusal(undefined);
      try {
        await startRun(experiment);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        setRefusal({ experiment, error });
      }
      await refetch();
    },
  };
}

export const startRun = (experiment: ExperimentName): Promise<LaboratoryRun> =>
  postApi<LaboratoryRun>(`${path}/${experiment}`, {});
