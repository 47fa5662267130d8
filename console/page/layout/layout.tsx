import type { ComponentChildren } from 'preact';
import { useConnection } from '../data/live.ts';
import { useStack } from '../data/use-api.ts';
import { Callout } from '../parts/callout.tsx';
import { Navigation } from './navigation.tsx';
import { TopBar } from './top-bar.tsx';

/** What stands around every page. */
export function Layout({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="layout">
      <a class="skip-link" href="#content">
        Skip to the content
      </a>
      <TopBar />
      <Navigation />
      <main class="content" id="content" tabIndex={-1}>
        <ConnectionBanner />
        {children}
      </main>
    </div>
  );
}

/** Says why the page is not live, and goes away by itself. */
function ConnectionBanner() {
  const connection = useConnection();
  const { data: stack } = useStack();
  if (connection.state !== 'lost') return null;
  const command = stack?.kind === 'local' ? 'npm start' : `npx payhooks console ${stack?.stack_option}`;
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
          The data are from before. The page reconnects by itself
          {stack !== undefined && (
            <>
              ; to start the server, run <code>{command}</code>
            </>
          )}
          .
        </p>
      </Callout>
    </div>
  );
}
