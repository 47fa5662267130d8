import { render } from 'preact';
import { App } from './app.tsx';
import './styles/main.css';

/** The router decodes ids: an address that was typed by hand may hold a `%` that encodes nothing. */
function repairAddress(): void {
  try {
    decodeURIComponent(location.pathname);
  } catch {
    history.replaceState(null, '', location.pathname.replaceAll('%', '%25') + location.search);
  }
}

const root = document.getElementById('root');
if (root !== null) {
  repairAddress();
  render(<App />, root);
}
