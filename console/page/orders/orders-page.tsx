import { Page } from '../parts/page.tsx';

export function OrdersPage() {
  return <Page title="Orders" />;
}
