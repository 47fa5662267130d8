import { useEffect, useState } from 'preact/hooks';
import { experimentGroups, type LaboratoryFault, type LaboratoryView } from '../../contract/laboratory.ts';
import { useStack } from '../data/stack.ts';
import { Callout, Empty } from '../parts/callout.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ExperimentCard } from './experiment-card.tsx';
import { endOf, groupWords, leadOf } from './sentences.ts';
import { type UseLaboratory, useLaboratory } from './use-laboratory.ts';

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

function LocalLaboratory() {
  const laboratory = useLaboratory();
  const { query } = laboratory;
  return (
    <Page title="Laboratory" lead={query.data === undefined ? undefined : leadOf(query.data)}>
      <Loaded query={query}>
        {(view) => (
          <>
            <Faults faults={view.faults} />
            {experimentGroups.map((group) => (
              <Section key={group} title={groupWords[group]} flush>
                <Experiments view={view} group={group} laboratory={laboratory} />
              </Section>
            ))}
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface ExperimentsProps {
  readonly view: LaboratoryView;
  readonly group: (typeof experimentGroups)[number];
  readonly laboratory: UseLaboratory;
}

function Experiments({ view, group, laboratory: { refusal, start } }: ExperimentsProps) {
  return (
    <div class="experiments">
      {view.experiments
        .filter((one) => one.group === group)
        .map((experiment) => (
          <ExperimentCard
            key={experiment.name}
            experiment={experiment}
            run={view.runs.find((run) => run.experiment === experiment.name)}
            error={refusal?.experiment === experiment.name ? refusal.error : undefined}
            onRun={() => void start(experiment.name)}
          />
        ))}
    </div>
  );
}

const countDownMilliseconds = 500;

/** What is broken now, and when it works again. */
function Faults({ faults }: { readonly faults: readonly LaboratoryFault[] }) {
  const [now, setNow] = useState(Date.now());
  const isAny = faults.length > 0;
  useEffect(() => {
    if (!isAny) return;
    const timer = setInterval(() => setNow(Date.now()), countDownMilliseconds);
    return () => clearInterval(timer);
  }, [isAny]);
  return (
    <>
      {faults.map((fault) => (
        <Callout key={fault.experiment} tone="attention" title={`${fault.title}.`}>
          <p>{endOf(fault, now)}</p>
        </Callout>
      ))}
    </>
  );
}
