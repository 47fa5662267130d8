import { useMode } from '../data/address.ts';
import { href } from '../data/href.ts';
import { Empty } from '../parts/callout.tsx';
import { Page } from '../parts/page.tsx';

export function NotFoundPage() {
  const mode = useMode();
  return (
    <Page title="No such page">
      <Empty
        icon="search"
        title="The console has no page at this address."
        actions={
          <a class="button" href={href.overview(mode)}>
            Go to the overview
          </a>
        }
      />
    </Page>
  );
}
