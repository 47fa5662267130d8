import { type RefusedDocument, type RefusedGroup, refusedHours } from '../../contract.ts';
import { useFilters } from '../data/address.ts';
import { useApi } from '../data/use-api.ts';
import { Callout, Empty } from '../parts/callout.tsx';
import { Code } from '../parts/code.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page, Section } from '../parts/page.tsx';
import { counted, visibleText } from '../parts/texts.ts';
import { Id, Moment } from '../parts/values.tsx';
import { Item } from '../waiting/items.tsx';

const hourWords: Readonly<Record<(typeof refusedHours)[number], string>> = {
  1: 'Last hour',
  24: 'Last 24 hours',
  168: 'Last 7 days',
};

/** The webhooks that were refused, by reason, and who probably sent them. */
export function RefusedPage() {
  const { filters, set } = useFilters();
  const hours = refusedHours.find((one) => one === filters['hours']) ?? '24';
  const query = useApi<RefusedDocument>('/console/api/refused', { hours });
  const time = (
    <select
      class="input"
      aria-label="Time"
      value={hours}
      onChange={({ currentTarget }) => set({ hours: currentTarget.value })}
    >
      {refusedHours.map((one) => (
        <option key={one} value={one}>
          {hourWords[one]}
        </option>
      ))}
    </select>
  );
  return (
    <Page title="Refused" lead={query.data ? leadOf(query.data) : 'Searching the logs.'} actions={time}>
      <Loaded query={query} lines={6}>
        {({ is_cut, groups }) => (
          <>
            {is_cut && (
              <Callout tone="attention" title="There are more than this page shows">
                <p>CloudWatch returns the newest 10,000. Choose a shorter time.</p>
              </Callout>
            )}
            {groups.map((group) => (
              <Group key={group.reason} group={group} />
            ))}
            {groups.length === 0 && (
              <Empty icon="check" title="No request was refused">
                Here is what got no 2xx: wrong signatures, bodies that are too large, throttled requests.
              </Empty>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

const leadOf = ({ count, since, until }: RefusedDocument) => (
  <>
    {counted(count, 'refused request')} since <Moment at={since} precise />, as of{' '}
    <Moment at={until} precise />.
  </>
);

function Group({ group }: { readonly group: RefusedGroup }) {
  const { reason, status, count, meaning, judgement, command, addresses, more_addresses } = group;
  return (
    <Section title={`${counted(count, 'request')}: ${meaning}`} note={`${status} ${visibleText(reason)}`}>
      <p class="strong">{judgement}</p>
      <Code text={command} label={`the next command about ${reason}`} />
      <ul class="items">
        {addresses.map(({ address, accepted, bytes, ...seen }) => (
          <Item
            key={address}
            title={address === null ? 'Address not logged yet' : <Id value={address} copy />}
            meta={
              <>
                <span>{counted(seen.count, 'request')}</span>
                {bytes !== null && <span>{bytes} bytes</span>}
                <span>
                  <Moment at={seen.first_at} precise /> to <Moment at={seen.last_at} precise />
                </span>
                <span>{accepted ? 'others from here were accepted' : 'none from here was accepted'}</span>
              </>
            }
          />
        ))}
      </ul>
      {more_addresses > 0 && <p class="faint">Other addresses: {more_addresses}.</p>}
    </Section>
  );
}
