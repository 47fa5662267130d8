import { useEffect, useState } from 'preact/hooks';
import {
  type ExperimentGroup,
  type ExperimentName,
  experimentGroups,
  type LaboratoryFault,
  type LaboratoryRun,
  type LaboratoryView,
} from '../../contract/laboratory.ts';
import { type ApiError, asApiError, postApi } from '../data/api.ts';
import { useApi, useStack } from '../data/use-api.ts';
import { Callout, Empty } from '../parts/callout.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ExperimentCard } from './experiment-card.tsx';

const path = '/console/api/laboratory';
/** Between two looks at a run: its steps come one by one. */
const runningMilliseconds = 500;

export const startRun = (experiment: ExperimentName): Promise<LaboratoryRun> =>
  postApi<LaboratoryRun>(`${path}/${experiment}`, {});

/** Experiments with the pipeline on this machine. A deployed stack has none. */
export function LaboratoryPage() {
  const stack = useStack();
  if (stack.data?.laboratory === false) {
    return (
      <Page title="Laboratory">
        <Empty icon="laboratory" title="A deployed stack has no laboratory">
          It belongs to local mode: start one with <code>npm start</code>.
        </Empty>
      </Page>
    );
  }
  // Until then it is not known whether there is one to look at.
  return <Loaded query={stack}>{() => <LocalLaboratory />}</Loaded>;
}

const groupWords: Readonly<Record<ExperimentGroup, string>> = {
  money: 'Money',
  'wrong input': 'Wrong input',
  faults: 'Load and faults',
};

function LocalLaboratory() {
  const query = useApi<LaboratoryView>(path);
  /** Why an experiment could not be started, until the next start. */
  const [refusal, setRefusal] = useState<{ readonly name: ExperimentName; readonly error: ApiError }>();
  const now = useEveryTurn(query.data, () => void query.refetch());
  async function start(name: ExperimentName): Promise<void> {
    setRefusal(undefined);
    await startRun(name).catch((error: unknown) => setRefusal({ name, error: asApiError(error) }));
    await query.refetch();
  }
  return (
    <Page title="Laboratory" lead={query.data && leadOf(query.data)}>
      <Loaded query={query}>
        {({ faults, experiments, runs }) => (
          <>
            {faults.map((fault) => (
              <Callout key={fault.experiment} tone="attention" title={`${fault.title}.`}>
                <p>{endOf(fault, now)}</p>
              </Callout>
            ))}
            {experimentGroups.map((group) => (
              <Section key={group} title={groupWords[group]}>
                <div class="tiles wide">
                  {experiments
                    .filter((experiment) => experiment.group === group)
                    .map((experiment) => (
                      <ExperimentCard
                        key={experiment.name}
                        experiment={experiment}
                        run={runs.find((run) => run.experiment === experiment.name)}
                        error={refusal?.name === experiment.name ? refusal.error : undefined}
                        onRun={() => void start(experiment.name)}
                      />
                    ))}
                </div>
              </Section>
            ))}
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** The time now, and a look at the runs, twice a second while something goes on. */
function useEveryTurn(view: LaboratoryView | undefined, look: () => void): number {
  const [now, setNow] = useState(Date.now());
  const isRunning = view?.runs.some((run) => run.ended_at === null) || (view?.faults ?? []).length > 0;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => {
      setNow(Date.now());
      look();
    }, runningMilliseconds);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}

/** What the laboratory does now, or how the latest run ended. */
function leadOf({ runs }: LaboratoryView): string {
  const [first, ...others] = runs.filter(({ ended_at }) => ended_at === null);
  const [latest] = runs;
  if (latest === undefined)
    return 'Send events, break things, and watch where they end. Nothing has run yet.';
  if (first === undefined)
    return `"${latest.title}" ended ${latest.as_expected ? 'as expected' : 'not as expected'}.`;
  return others.length === 0
    ? `"${first.title}" is running.`
    : `${others.length + 1} experiments are running.`;
}

/** Such as `It ends by itself, in 6 s at the latest.` */
function endOf({ ends_at }: LaboratoryFault, now: number): string {
  const seconds = Math.ceil((Date.parse(ends_at) - now) / 1_000);
  return seconds > 0 ? `It ends by itself, in ${seconds} s at the latest.` : 'It is ending.';
}
