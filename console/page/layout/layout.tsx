import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { startCommand } from '../data/href.ts';
import { useConnection } from '../data/live.ts';
import { useStack } from '../data/use-api.ts';
import { Callout } from '../parts/callout.tsx';
import { Skeleton } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { clockTime } from '../parts/texts.ts';
import { Navigation } from './navigation.tsx';
import { TopBar } from './top-bar.tsx';

/** What stands around every page. Until the server has responded, only the reason stands there. */
export function Layout({ children }: { readonly children: ComponentChildren }) {
  const { data, error } = useStack();
  // The next request clears the error of the one before; the page would come and go with each.
  const last = useRef(error);
  last.current = error ?? last.current;
  const failed = data === undefined ? last.current : null;
  return (
    <div class="layout">
      <a class="skip-link" href="#content">
        Skip to the content
      </a>
      <TopBar />
      <Navigation />
      <main class="content" id="content" tabIndex={-1}>
        {failed !== null ? (
          <Page title={titleOf(failed.status)} lead={`${failed.message} This page continues by itself.`}>
            <Skeleton lines={8} />
          </Page>
        ) : (
          <>
            <ConnectionBanner />
            {children}
          </>
        )}
      </main>
    </div>
  );
}

function titleOf(status: number): string {
  if (status === 503) return 'payhooks is starting';
  return status === 0 ? 'No connection' : 'This stack cannot be shown';
}

/** Says why the page is not live, and goes away by itself. */
function ConnectionBanner() {
  const connection = useConnection();
  const { data: stack } = useStack();
  if (connection.state !== 'lost' || stack === undefined) return null;
  return (
    <div class="connection-banner">
      <Callout
        tone="attention"
        title={connection.reason}
        actions={
          <button type="button" class="button" onClick={connection.retry}>
            Try now
          </button>
        }
      >
        <p>
          Data as of {clockTime(connection.at, Date.now())}. To start the server, run{' '}
          <code>{startCommand(stack, location.port)}</code>; the page then reconnects by itself.
        </p>
      </Callout>
    </div>
  );
}
