import { Page } from '../parts/page.tsx';
import { Id } from '../parts/values.tsx';

export function AlarmPage({ name }: { readonly name: string }) {
  return <Page title={<Id value={name} copy />} tabTitle={name} />;
}
