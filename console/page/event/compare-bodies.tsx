import type { EventBodies, Mode, RecordWithBody } from '@payhooks/order-client';
import { useId, useState } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { Failure, Skeleton } from '../parts/loaded.tsx';
import { OutcomeBadge } from '../parts/pills.tsx';
import { counted } from '../parts/texts.ts';
import { Moment } from '../parts/values.tsx';
import { type ComparedLine, compareLines } from './body-differences.ts';
import { BodyText, CustomerDataButton } from './body-text.tsx';
import { ComparedLines } from './compared-lines.tsx';
import { prettyLines } from './pretty-json.ts';
import { readBody } from './read-body.ts';
import { useBodies } from './use-bodies.ts';

export interface CompareBodiesProps {
  readonly eventId: string;
  readonly mode: Mode;
  /** The body to compare with the one that counts: the first other one without it. */
  readonly bodySha256?: string;
}

/** The bodies under one event id next to each other, once the reader asks for them. */
export function CompareBodies({ eventId, mode, bodySha256 }: CompareBodiesProps) {
  const bodies = useBodies({ eventId, mode });
  if (bodies.data !== undefined) return <Comparison bodies={bodies.data} chosen={bodySha256} />;
  return (
    <div class="compare">
      {bodies.isLoading ? (
        <Skeleton lines={3} />
      ) : (
        <p class="body-bar">
          <button type="button" class="button" onClick={bodies.load}>
            Compare bodies
          </button>
          <span class="faint">
            A body is the text of one webhook. It holds customer data: the access log records who read it.
          </span>
        </p>
      )}
      {bodies.error !== undefined && <Failure error={bodies.error} />}
    </div>
  );
}

function Comparison({
  bodies,
  chosen,
}: {
  readonly bodies: EventBodies;
  readonly chosen: string | undefined;
}) {
  const [isShown, setShown] = useState(false);
  const counting = bodies.records.find(({ counts }) => counts === true) ?? bodies.records[0];
  const others = bodies.records.filter((record) => record !== counting);
  const [sha256, setSha256] = useState(chosen);
  const right = others.find(({ body_sha256 }) => body_sha256 === sha256) ?? others[0];
  if (counting === undefined || right === undefined)
    return <p class="muted">Only one body is stored under this id.</p>;
  const lines = linesOf(counting, right);
  return (
    <div class="compare">
      <p class="body-bar">
        <span>
          {lines === undefined ? 'They cannot be compared line by line.' : differenceSentence(lines)}
        </span>
        {lines !== undefined && <CustomerDataButton isShown={isShown} toggle={() => setShown(!isShown)} />}
      </p>
      {others.length > 1 && <Choice records={others} chosen={right} choose={setSha256} />}
      <div class="compare-heads">
        <BodyHead record={counting} />
        <BodyHead record={right} />
      </div>
      {lines === undefined ? (
        <div class="compare-heads">
          {[counting, right].map((record) => (
            <StoredBody key={record.body_sha256} record={record} />
          ))}
        </div>
      ) : (
        <ComparedLines lines={lines} isShown={isShown} />
      )}
    </div>
  );
}

function linesOf(left: RecordWithBody, right: RecordWithBody): readonly ComparedLine[] | undefined {
  if (left.body_base64 === null || right.body_base64 === null) return undefined;
  const [one, two] = [readBody(left.body_base64), readBody(right.body_base64)];
  if (one.kind !== 'json' || two.kind !== 'json') return undefined;
  return compareLines(prettyLines(one.value), prettyLines(two.value));
}

function differenceSentence(lines: readonly ComparedLine[]): string {
  const { length } = lines.filter(({ isDifferent }) => isDifferent);
  if (length === 0) return 'They say the same: only white space, escapes or repeated keys differ.';
  return `${counted(length, 'line differs', 'lines differ')}.`;
}

function StoredBody({ record }: { readonly record: RecordWithBody }) {
  if (record.body_base64 === null) return <p class="muted">Its bytes are no longer stored.</p>;
  return <BodyText base64={record.body_base64} label={`the body ${record.body_sha256}`} />;
}

function BodyHead({ record }: { readonly record: RecordWithBody }) {
  const { counts, waiting, outcome, received_at } = record;
  return (
    <p class="compare-head">
      <Icon name={counts === true ? 'check' : 'cross'} size={14} />
      <strong>{counts === true ? 'This one counts' : 'This one does not count'}</strong>
      <OutcomeBadge outcome={outcome} />
      {waiting !== null && <span class="muted">waits for a person</span>}
      <span class="faint">
        received <Moment at={received_at} precise />
      </span>
    </p>
  );
}

function Choice(props: {
  readonly records: readonly RecordWithBody[];
  readonly chosen: RecordWithBody;
  readonly choose: (sha256: string) => void;
}) {
  const id = useId();
  return (
    <p class="body-bar">
      <label for={id}>Compare with</label>
      <select
        id={id}
        class="input compare-choice"
        value={props.chosen.body_sha256}
        onChange={({ currentTarget }) => props.choose(currentTarget.value)}
      >
        {props.records.map(({ body_sha256, outcome, received_at }) => (
          <option key={body_sha256} value={body_sha256}>
            {outcome}, {received_at}, {body_sha256.slice(0, 12)}…
          </option>
        ))}
      </select>
    </p>
  );
}
