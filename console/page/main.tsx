import { render } from 'preact';
import { App } from './app.tsx';
import { isWellEncoded } from './data/href.ts';
import { loadWith } from './data/later.ts';
import './styles/main.css';

// The router decodes ids: an address that was typed by hand may hold a `%` that encodes nothing.
if (!isWellEncoded(location.pathname)) {
  history.replaceState(null, '', location.pathname.replaceAll('%', '%25') + location.search);
}
const root = document.getElementById('root');
loadWith(() => import('./later.ts'));
root?.replaceChildren();
if (root !== null) render(<App />, root);
