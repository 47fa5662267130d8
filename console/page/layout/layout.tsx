import type { ComponentChildren } from 'preact';
import { ConnectionBanner } from './connection-banner.tsx';
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
