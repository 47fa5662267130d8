import { Page } from '../parts/page.tsx';

export function LaboratoryPage() {
  return <Page title="Laboratory" lead="Send events and break things, on this machine." />;
}
