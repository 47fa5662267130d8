import { useQueryClient } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../data/api.ts';
import { type ActFlow, type ActFlowParts, type ActState, createActFlow } from './act-flow.ts';

/** Long enough for a person to type on. */
const typingMilliseconds = 350;

export interface ActParts<Preview, Result>
  extends Pick<ActFlowParts<Preview, Result>, 'preview' | 'act' | 'effectOf'> {
  /** What the operator has chosen: another choice has a dry run of its own. `undefined`: not enough yet. */
  readonly choice: string | undefined;
}

/** The state of one dialog, and what its button does. */
export function useActFlow<Preview, Result>(parts: ActParts<Preview, Result>) {
  const client = useQueryClient();
  const latest = useRef(parts);
  latest.current = parts;
  /** Those of the latest dry run: what the operator chooses after it is not what was shown. */
  const shown = useRef(parts);
  const [state, setState] = useState<ActState<Preview, Result>>({ step: 'previewing' });
  const [flow] = useState<ActFlow>(() =>
    createActFlow<Preview, Result>({
      preview(wait) {
        shown.current = latest.current;
        return shown.current.preview(wait);
      },
      act: (preview, reason, wait) => shown.current.act(preview, reason, wait),
      effectOf: (preview) => shown.current.effectOf(preview),
      isUncertain,
      pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
      onState(next) {
        setState(next);
        if (next.step === 'done') void client.invalidateQueries();
      },
    }),
  );
  const isFirst = useRef(true);
  useEffect(() => {
    const wait = isFirst.current ? 0 : typingMilliseconds;
    isFirst.current = false;
    if (parts.choice === undefined) return;
    const timer = setTimeout(() => void flow.refresh(), wait);
    return () => clearTimeout(timer);
  }, [flow, parts.choice]);
  useEffect(() => () => flow.close(), [flow]);
  return { state, confirm: flow.confirm, refresh: flow.refresh };
}

/** A request that got no response may have been carried out, and so may one whose server failed. */
const isUncertain = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
