import { Page } from '../parts/page.tsx';

export function WaitingPage() {
  return <Page title="Waiting room" lead="Loading what waits for a person." />;
}
