import type { EventBodies, Mode, RecordWithBody } from '@payhooks/order-client';
import { useState } from 'preact/hooks';
import { apiPath } from '../data/href.ts';
import { Diff } from '../parts/code.tsx';
import { OutcomeBadge } from '../parts/pills.tsx';
import { counted } from '../parts/texts.ts';
import { Moment } from '../parts/values.tsx';
import { diffOfBodies } from './body-differences.ts';
import { BodyText, CustomerDataButton } from './body-text.tsx';
import { ReadButton, useBodies } from './payload.tsx';
import { readBody } from './read-body.ts';

export interface CompareBodiesProps {
  readonly eventId: string;
  readonly mode: Mode;
  /** The body to compare with the one that counts; every other one without it. */
  readonly bodySha256?: string;
}

/** The bodies under one event id, line by line, once the reader asks for them. */
export function CompareBodies({ eventId, mode, bodySha256 }: CompareBodiesProps) {
  const bodies = useBodies(apiPath.eventBodies(eventId), mode);
  if (bodies.data === undefined) {
    return (
      <div class="stack">
        <ReadButton {...bodies} words="Compare bodies" />
      </div>
    );
  }
  return <Comparisons bodies={bodies.data} chosen={bodySha256} />;
}

interface ComparisonsProps {
  readonly bodies: EventBodies;
  readonly chosen: string | undefined;
}

function Comparisons({ bodies: { records }, chosen }: ComparisonsProps) {
  const counting = records.find(({ counts }) => counts === true) ?? records[0];
  const others = records.filter((record) => record !== counting);
  const shown = others.filter(({ body_sha256 }) => chosen === undefined || body_sha256 === chosen);
  if (counting === undefined || others.length === 0)
    return <p class="muted">Only one body is stored under this id.</p>;
  return (shown.length === 0 ? others : shown).map((other) => (
    <Comparison key={other.body_sha256} counting={counting} other={other} />
  ));
}

interface ComparisonProps {
  readonly counting: RecordWithBody;
  readonly other: RecordWithBody;
}

function Comparison({ counting, other }: ComparisonProps) {
  const [isShown, setShown] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const [one, two] = [counting, other].map(({ body_base64: base64 }) => base64 && readBody(base64));
  const lines =
    one && two && one.kind === 'json' && two.kind === 'json'
      ? diffOfBodies(one.value, two.value, { isShown, isWhole })
      : undefined;
  const different = lines?.filter(({ sign }) => sign !== ' ').length ?? 0;
  return (
    <div class="stack">
      <BodyHead record={counting} words="− This one counts" />
      <BodyHead record={other} words="+ This one does not count" />
      {lines === undefined ? (
        [counting, other].map((record) =>
          record.body_base64 === null ? (
            <p class="muted">Its bytes are no longer stored.</p>
          ) : (
            <BodyText
              key={record.body_sha256}
              base64={record.body_base64}
              label={`the body ${record.body_sha256}`}
            />
          ),
        )
      ) : (
        <>
          <p class="row">
            {different === 0
              ? 'They say the same: only white space, escapes or repeated keys differ.'
              : `${counted(different, 'line differs', 'lines differ')}.`}
            <CustomerDataButton isShown={isShown} toggle={() => setShown(!isShown)} />
            <button type="button" class="button small" onClick={() => setWhole(!isWhole)}>
              {isWhole ? 'Show only what differs' : 'Show all lines'}
            </button>
          </p>
          <Diff lines={lines} label="Both bodies, line by line" />
        </>
      )}
    </div>
  );
}

function BodyHead({ record, words }: { readonly record: RecordWithBody; readonly words: string }) {
  return (
    <p class="row">
      <strong>{words}</strong>
      <OutcomeBadge outcome={record.outcome} />
      {record.waiting !== null && <span class="muted">waits for a person</span>}
      <span class="faint">
        received <Moment at={record.received_at} precise />
      </span>
    </p>
  );
}
