import { useMode } from '../data/address.ts';
import { href } from '../data/href.ts';
import { Page } from '../parts/page.tsx';

export function NotFoundPage() {
  const overview = (
    <a class="button" href={href.overview(useMode())}>
      Go to the overview
    </a>
  );
  return <Page title="No such page" lead="The console has no page at this address." actions={overview} />;
}
