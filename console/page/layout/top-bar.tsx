import type { Mode } from '@payhooks/order-client';
import type { StackInfo } from '../../contract.ts';
import { useFilters, useMode } from '../data/address.ts';
import { href } from '../data/href.ts';
import { useConnection } from '../data/live.ts';
import { useStack, useWaitingCount } from '../data/use-api.ts';
import { Mark } from '../parts/icon.tsx';
import { counted } from '../parts/texts.ts';
import { modeWords } from '../parts/words.ts';
import { SearchBox } from './search-box.tsx';

export function TopBar() {
  const mode = useMode();
  const { data: stack } = useStack();
  return (
    <header class="top-bar">
      <a class="brand row" href={href.overview(mode)}>
        <Mark />
        <span class="brand-name strong">payhooks</span>
        {stack !== undefined && <StackTag stack={stack} />}
      </a>
      <SearchBox />
      <ConnectionMark />
      <fieldset class="switch">
        <legend class="visually-hidden">Mode</legend>
        <ModeOption mode="live" />
        <ModeOption mode="sandbox" />
      </fieldset>
    </header>
  );
}

/** Which stack this is: nobody should take one that is deployed for local mode. */
function StackTag({ stack: { kind, name, region, account } }: { readonly stack: StackInfo }) {
  const isLocal = kind === 'local';
  const title = isLocal ? undefined : `Stack ${name} in ${region}, account ${account}`;
  return (
    <span class={`pill neutral brand-stack ${isLocal ? '' : 'is-deployed'}`} title={title}>
      <span>{isLocal ? 'Local mode' : name}</span>
    </span>
  );
}

/** A mode, with a dot when something waits in it that this page does not show. */
function ModeOption({ mode }: { readonly mode: Mode }) {
  const isShown = useMode() === mode;
  const { set } = useFilters();
  const choose = () => set({ mode: mode === 'live' ? undefined : mode });
  const waiting = useWaitingCount(mode);
  return (
    <label class={`mode-${mode}`}>
      <input type="radio" name="mode" value={mode} checked={isShown} onChange={choose} />
      <span>{modeWords[mode]}</span>
      {waiting > 0 && !isShown && (
        <span class="switch-dot" title={counted(waiting, 'item waits', 'items wait')}>
          <span class="visually-hidden">, {counted(waiting, 'item waits', 'items wait')}</span>
        </span>
      )}
    </label>
  );
}

const connectionWords = {
  open: 'Live: the page follows every change',
  connecting: 'Connecting',
  lost: 'Not connected',
} as const;

function ConnectionMark() {
  const { state } = useConnection();
  return (
    <span class={`connection is-${state}`} title={connectionWords[state]} role="status">
      <span class="visually-hidden">{connectionWords[state]}</span>
    </span>
  );
}
