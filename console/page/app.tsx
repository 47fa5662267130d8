import { QueryClientProvider } from '@tanstack/preact-query';
import type { FunctionComponent } from 'preact';
import { useState } from 'preact/hooks';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import { Acts } from './acts/acts.tsx';
import { useMode } from './data/address.ts';
import { idOf, isWellEncoded } from './data/href.ts';
import { later, loadTheRest } from './data/later.ts';
import { LiveUpdates } from './data/live.ts';
import { createQueryClient, type PageOfId } from './data/use-api.ts';
import { Layout } from './layout/layout.tsx';
import { NotFoundPage } from './layout/not-found-page.tsx';
import { EventsPage } from './list/events.tsx';
import { OrdersPage } from './list/orders.tsx';
import { OverviewPage } from './overview/overview-page.tsx';

/** The console: everything it shows comes from the API of the same origin. */
export function App() {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client}>
      <LocationProvider>
        <LiveUpdates onFirst={loadTheRest} />
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
const RefusedPage = later('RefusedPage');
const WaitingPage = later('WaitingPage');
const ApprovalsPage = later('ApprovalsPage');
const AlarmsPage = later('AlarmsPage');
const AlarmPage = later('AlarmPage');
const SearchPage = later('SearchPage');
const LaboratoryPage = later('LaboratoryPage');
const EventOfId = ofId(later('EventPage'));
const OrderOfId = ofId(later('OrderPage'));
const TransactionOfId = ofId(later('TransactionPage'));

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
