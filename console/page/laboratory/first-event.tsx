import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { LaboratoryRun, LaboratoryView } from '../../contract/laboratory.ts';
import { ApiError, getApi } from '../data/api.ts';
import { href } from '../data/href.ts';
import { useStack } from '../data/stack.ts';
import { Icon } from '../parts/icon.tsx';
import { startRun } from './laboratory-page.tsx';

const lookMilliseconds = 300;

/** The button of an empty console: it sends a payment and opens its order. Local mode only. */
export function FirstEvent() {
  const { data: stack } = useStack();
  const { route } = useLocation();
  const [state, setState] = useState<{ readonly text: string; readonly failed: boolean }>();
  if (stack?.laboratory !== true) return null;

  async function send(): Promise<void> {
    if (state?.failed === false) return;
    setState({ text: 'Sending a payment …', failed: false });
    const from = location.pathname;
    try {
      const run = await ended(await startRun('paid'));
      const order = run.steps.find(({ link }) => link?.page === 'order')?.link;
      if (run.as_expected !== true || !order) throw new ApiError(0, run.seen ?? 'The payment has no order.');
      // The reader may have gone elsewhere in the meantime.
      if (location.pathname === from) route(href.order(order.id, order.mode));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setState({ text: error.message, failed: true });
    }
  }

  return (
    <div class="stack">
      <button type="button" class="button primary" aria-disabled={state?.failed === false} onClick={send}>
        <Icon name="send" size={14} />
        Send the first event
      </button>
      <p role="status" class="small">
        {state?.text ?? 'A payment of 49.90 USD, signed like a real one; its order opens.'}
      </p>
    </div>
  );
}

async function ended({ id }: LaboratoryRun): Promise<LaboratoryRun> {
  for (;;) {
    const { runs } = await getApi<LaboratoryView>('/console/api/laboratory');
    const run = runs.find((one) => one.id === id);
    if (run === undefined) throw new ApiError(404, 'Local mode was restarted; send the event again.');
    if (run.ended_at !== null) return run;
    await new Promise((resolve) => setTimeout(resolve, lookMilliseconds));
  }
}
