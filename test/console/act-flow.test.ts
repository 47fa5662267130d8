import { describe, expect, it } from 'vitest';
import { type ActState, createActFlow, type Wait } from '../../console/page/acts/act-flow.ts';

type State = ActState<string, string>;

/** Promises that the test settles by hand, in the order of the calls. */
function deferred() {
  const calls: PromiseWithResolvers<string>[] = [];
  const call = () => {
    const next = Promise.withResolvers<string>();
    calls.push(next);
    return next.promise;
  };
  return { calls, call };
}

function start() {
  const waits: Wait[] = [];
  const previews = deferred();
  const acts = deferred();
  const sent: (readonly [string, string])[] = [];
  const states: State[] = [];
  const pauses: { milliseconds: number; end: () => void }[] = [];
  const flow = createActFlow<string, string>({
    preview: previews.call,
    act(preview, reason, wait) {
      waits.push(wait);
      sent.push([preview, reason]);
      return acts.call();
    },
    effectOf: (preview) => preview,
    isUncertain: (error) => error === 'no response',
    pause: (milliseconds) => new Promise<void>((end) => pauses.push({ milliseconds, end })),
    onState: (state) => states.push(state),
  });
  return { flow, sent, states, waits, pauses, previews: previews.calls, acts: acts.calls };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

async function ready(preview: string) {
  const started = start();
  void started.flow.refresh();
  started.previews[0]?.resolve(preview);
  await settled();
  return started;
}

describe('createActFlow', () => {
  it('shows what a dry run responds before anything is done', async () => {
    const { states, sent } = await ready('paid');
    expect([states.at(-1), sent]).toEqual([{ step: 'ready', preview: 'paid', isNew: false }, []]);
  });

  it('acts with the reason after a second dry run that shows the same', async () => {
    const { flow, states, sent, previews, acts } = await ready('paid');
    void flow.confirm('by phone');
    previews[1]?.resolve('paid');
    await settled();
    expect(sent).toEqual([['paid', 'by phone']]);
    acts[0]?.resolve('done');
    await settled();
    expect(states.at(-1)).toEqual({ step: 'done', preview: 'paid', result: 'done', isRepetition: false });
  });

  it('sends one act for two confirmations', async () => {
    const { flow, sent, previews } = await ready('paid');
    void flow.confirm('by phone');
    void flow.confirm('by phone');
    for (const preview of previews) preview.resolve('paid');
    await settled();
    void flow.confirm('by phone');
    await settled();
    expect(sent).toEqual([['paid', 'by phone']]);
  });

  it('does not act when something else changed the effect, and shows the new one', async () => {
    const { flow, states, sent, previews } = await ready('paid');
    void flow.confirm('by phone');
    previews[1]?.resolve('refunded');
    await settled();
    expect([states.at(-1), sent]).toEqual([{ step: 'ready', preview: 'refunded', isNew: true }, []]);
  });

  it('shows no effect while that of another choice is being read', async () => {
    const { flow, states, previews } = await ready('of order-1');
    void flow.refresh();
    expect(states.at(-1)).toEqual({ step: 'previewing' });
    previews[1]?.resolve('of order-2');
    await settled();
    expect(states.at(-1)).toEqual({ step: 'ready', preview: 'of order-2', isNew: false });
  });

  it('ignores the response of a dry run that a later one has replaced', async () => {
    const { flow, states, previews } = await ready('first');
    void flow.refresh();
    void flow.refresh();
    previews[2]?.resolve('third');
    previews[1]?.resolve('second');
    await settled();
    expect(states.at(-1)).toEqual({ step: 'ready', preview: 'third', isNew: false });
  });

  it('does not act while the dry run is refused, and can try it again', async () => {
    const { flow, states, sent, previews } = start();
    void flow.refresh();
    previews[0]?.reject('refused');
    await settled();
    expect(states.at(-1)).toEqual({ step: 'blocked', error: 'refused' });
    await flow.confirm('by phone');
    expect(sent).toEqual([]);
    void flow.refresh();
    previews[1]?.resolve('paid');
    await settled();
    expect(states.at(-1)).toEqual({ step: 'ready', preview: 'paid', isNew: false });
  });

  it('repeats an act without a response, and reports the repetition as one', async () => {
    const { flow, states, sent, previews, acts } = await ready('paid');
    void flow.confirm('by phone');
    previews[1]?.resolve('paid');
    await settled();
    acts[0]?.reject('no response');
    await settled();
    expect(states.at(-1)).toEqual({ step: 'uncertain', preview: 'paid', error: 'no response' });
    void flow.confirm('by phone');
    acts[1]?.resolve('done before');
    await settled();
    expect(states.at(-1)).toMatchObject({ step: 'done', result: 'done before', isRepetition: true });
    expect(sent).toEqual([
      ['paid', 'by phone'],
      ['paid', 'by phone'],
    ]);
  });

  it('shows a refusal of the act itself as one', async () => {
    const { flow, states, previews, acts } = await ready('paid');
    void flow.confirm('by phone');
    previews[1]?.resolve('paid');
    await settled();
    acts[0]?.reject('refused');
    await settled();
    expect(states.at(-1)).toEqual({ step: 'blocked', error: 'refused' });
  });

  it('shows that an act waits, and stops to wait when it was closed', async () => {
    const { flow, states, previews, waits, pauses } = await ready('paid');
    void flow.confirm('by phone');
    previews[1]?.resolve('paid');
    await settled();
    const first = waits[0]?.(12, 'evt-1');
    const text = 'Waiting 12 s: a consumer may still be working on evt-1.';
    expect(states.at(-1)).toEqual({ step: 'acting', preview: 'paid', waits: text });
    expect(pauses[0]?.milliseconds).toBe(12_000);
    pauses[0]?.end();
    await first;
    expect(states.at(-1)).toEqual({ step: 'acting', preview: 'paid', waits: undefined });
    const second = waits[0]?.(12, 'evt-1');
    flow.close();
    pauses[1]?.end();
    await expect(second).rejects.toThrow('The dialog was closed.');
  });

  it('reports nothing after it was closed', async () => {
    const { flow, states, previews } = start();
    void flow.refresh();
    flow.close();
    previews[0]?.resolve('paid');
    await settled();
    expect(states).toEqual([{ step: 'previewing' }]);
  });
});
