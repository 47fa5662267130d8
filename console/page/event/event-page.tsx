import { Page } from '../parts/page.tsx';
import { Id } from '../parts/values.tsx';

export function EventPage({ id }: { readonly id: string }) {
  return <Page title={<Id value={id} copy />} tabTitle={id} />;
}
