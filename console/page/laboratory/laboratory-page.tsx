import { useEffect, useState } from 'preact/hooks';
import { type LaboratoryRun, type LaboratoryView, scenarioGroups } from '../../contract/laboratory.ts';
import { type ApiError, asApiError, postApi } from '../data/api.ts';
import { useApi, useStack } from '../data/use-api.ts';
import { Empty } from '../parts/callout.tsx';
import { Loaded, Skeleton } from '../parts/loaded.tsx';
import { Page, Section } from '../parts/page.tsx';
import { capitalised } from '../parts/texts.ts';
import { ScenarioCard } from './scenario-card.tsx';

const path = '/console/api/laboratory';
/** Between two looks at a run: its steps come one by one. */
const runningMilliseconds = 500;

/** Scenarios on the pipeline of this machine. A deployed stack has none. */
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
  return stack.data === undefined ? <Skeleton lines={3} /> : <LocalLaboratory />;
}

function LocalLaboratory() {
  const query = useApi<LaboratoryView>(path);
  /** Why a scenario could not be started, until the next start. */
  const [refusal, setRefusal] = useState<{ readonly name: string; readonly error: ApiError }>();
  const isRunning = query.data?.runs.some((run) => run.ended_at === null);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => void query.refetch(), runningMilliseconds);
    return () => clearInterval(timer);
  }, [isRunning]);
  async function start(name: string): Promise<void> {
    setRefusal(undefined);
    await postApi<LaboratoryRun>(`${path}/${name}`, {}).catch((error: unknown) =>
      setRefusal({ name, error: asApiError(error) }),
    );
    await query.refetch();
  }
  return (
    <Page title="Laboratory" lead={query.data && leadOf(query.data)}>
      <Loaded query={query}>
        {({ scenarios, runs }) => (
          <>
            {scenarioGroups.map((group) => (
              <Section key={group} title={capitalised(group)}>
                <div class="tiles wide">
                  {scenarios
                    .filter((scenario) => scenario.group === group)
                    .map((scenario) => (
                      <ScenarioCard
                        key={scenario.name}
                        scenario={scenario}
                        run={runs.find((run) => run.scenario === scenario.name)}
                        error={refusal?.name === scenario.name ? refusal.error : undefined}
                        onRun={() => void start(scenario.name)}
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

/** What the laboratory does now, or how the latest run ended. */
function leadOf({ runs }: LaboratoryView): string {
  const [first, ...others] = runs.filter(({ ended_at }) => ended_at === null);
  const [latest] = runs;
  if (latest === undefined)
    return 'Send events, break things, and watch where they end. Nothing has run yet.';
  if (first === undefined)
    return `"${latest.title}" ended ${latest.as_expected ? 'as expected' : 'not as expected'}.`;
  return others.length === 0 ? `"${first.title}" is running.` : `${others.length + 1} scenarios are running.`;
}
