import { Page } from '../parts/page.tsx';

export function OverviewPage() {
  return <Page title="Overview" lead="Loading what this stack does." />;
}
