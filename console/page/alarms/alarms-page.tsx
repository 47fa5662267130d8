import { Page } from '../parts/page.tsx';

export function AlarmsPage() {
  return <Page title="Alarms" lead="Loading the alarms of this stack." />;
}
