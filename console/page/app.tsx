import { QueryClientProvider } from '@tanstack/preact-query';
import type { FunctionComponent } from 'preact';
import { useState } from 'preact/hooks';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import { Acts } from './acts/acts.tsx';
import { AlarmPage } from './alarms/alarm-page.tsx';
import { AlarmsPage } from './alarms/alarms-page.tsx';
import { ApprovalsPage } from './approvals/approvals-page.tsx';
import { useMode } from './data/address.ts';
import { idOf, isWellEncoded } from './data/href.ts';
import { LiveUpdates } from './data/live.ts';
import { createQueryClient, type PageOfId } from './data/use-api.ts';
import { EventPage } from './event/event-page.tsx';
import { LaboratoryPage } from './laboratory/laboratory-page.tsx';
import { Layout } from './layout/layout.tsx';
import { NotFoundPage } from './layout/not-found-page.tsx';
import { SearchPage } from './layout/search-page.tsx';
import { EventsPage } from './list/events.tsx';
import { OrdersPage } from './list/orders.tsx';
import { OrderPage } from './order/order-page.tsx';
import { TransactionPage } from './order/transaction-page.tsx';
import { OverviewPage } from './overview/overview-page.tsx';
import { RefusedPage } from './refused/refused-page.tsx';
import { WaitingPage } from './waiting/waiting-page.tsx';

/** The console: everything it shows comes from the API of the same origin. */
export function App() {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client}>
      <LocationProvider>
        <LiveUpdates />
        <Acts>
          <Layout>
            <Pages />
          </Layout>
        </Acts>
      </LocationProvider>
    </QueryClientProvider>
  );
}

/** The page of an id of the address; another id or mode is another page. */
const ofId = (PageOf: FunctionComponent<PageOfId>) =>
  function RoutedPage({ id: part }: { readonly id: string }) {
    const id = idOf(part);
    const mode = useMode();
    return <PageOf key={`${mode} ${id}`} id={id} mode={mode} />;
  };
const EventOfId = ofId(EventPage);
const OrderOfId = ofId(OrderPage);
const TransactionOfId = ofId(TransactionPage);

function Pages() {
  const { path } = useLocation();
  // The router would throw, and show nothing.
  if (!isWellEncoded(path)) return <NotFoundPage />;
  return (
    <Router>
      <Route path="/" component={OverviewPage} />
      <Route path="/console" component={OverviewPage} />
      <Route path="/console/events" component={EventsPage} />
      <Route path="/console/events/:id" component={EventOfId} />
      <Route path="/console/refused" component={RefusedPage} />
      <Route path="/console/orders" component={OrdersPage} />
      <Route path="/console/orders/:id" component={OrderOfId} />
      <Route path="/console/transactions/:id" component={TransactionOfId} />
      <Route path="/console/waiting" component={WaitingPage} />
      <Route path="/console/approvals" component={ApprovalsPage} />
      <Route path="/console/alarms" component={AlarmsPage} />
      <Route path="/console/alarms/:name" component={AlarmPage} />
      <Route path="/console/search" component={SearchPage} />
      <Route path="/console/laboratory" component={LaboratoryPage} />
      <Route default component={NotFoundPage} />
    </Router>
  );
}
