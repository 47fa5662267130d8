import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { check } from './checker/check.ts';
import { type Rule, rules } from './checker/violation.ts';
import type { Delivery, History, HttpCall, Row } from './history.ts';
import { bundleToday, loadBundles } from './lambda/bundles.ts';
import { formerCode } from './lambda/former-code.ts';
import { type Run, runSeed } from './run.ts';

const today = await bundleToday();
const bundles = loadBundles({ today, former: await formerCode(today) });
const seeds = [1, 2, 3, 4, 5, 6, 7, 8];
const runs: Run[] = [];
for (const seed of seeds) runs.push(await runSeed({ seed, bundles }));
const histories = runs.map(({ history }) => history);

describe('a simulated run', () => {
  it('does the same thing again from the same seed, in whatever order the seeds run', async () => {
    const backwards = [];
    for (const seed of [2, 1]) backwards.unshift((await runSeed({ seed, bundles })).hash);
    const forwards = runs.slice(0, 2).map(({ hash }) => hash);
    expect(backwards).toEqual(forwards);
    expect(new Set(forwards).size).toBe(2);
  });

  it('drains once faults have ended: no message, no record and no retry is left', () => {
    for (const { queues, finalReads } of histories) {
      expect(queues.events).toEqual([]);
      expect(finalReads.orders.map(({ outcome }) => outcome.kind)).not.toContain('unknown');
    }
  });

  it.each(histories)('breaks no rule under seed $seed', (history) => {
    expect(history.calls.length).toBeGreaterThan(100);
    expect(check(history)).toEqual([]);
  });
});

/** A history whose parts a test may change. */
type Changeable<T> = T extends readonly (infer E)[]
  ? Changeable<E>[]
  : T extends object
    ? { -readonly [K in keyof T]: Changeable<T[K]> }
    : T;
/** Makes one thing wrong; throws `Absent` when the history has no such thing. */
type Change = (history: Changeable<History>) => unknown;

class Absent extends Error {}
function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Absent();
  return value;
}
const text = (row: Row, name: string): string => String(row[name]?.['S'] ?? '');
const base64 = (bytes: string): string => Buffer.from(bytes).toString('base64');
const sha256 = (body: string): string =>
  createHash('sha256').update(Buffer.from(body, 'base64')).digest('base64');
const isEvent = (row: Row): boolean =>
  text(row, 'record') === 'event' && /^(live|sandbox):event:/.test(text(row, 'event_key'));
const isApplied = (row: Row): boolean => isEvent(row) && text(row, 'outcome') === 'applied';
const isBody = (row: Row): boolean => text(row, 'record').startsWith('body:');
const isHeartbeat = (row: Row): boolean => text(row, 'event_key').startsWith('heartbeat:event:');
const isAct = (row: Row): boolean => text(row, 'record').startsWith('act:');
const isJudgement = (row: Row): boolean =>
  isAct(row) && ['admit', 'dismiss'].includes(text(row, 'act')) && text(row, 'event_key').includes(':event:');

const row =
  (isMeant: (row: Row) => boolean, change: (row: Changeable<Row>) => unknown): Change =>
  ({ tables }) =>
    change(present(tables.events.find(isMeant)));
const without =
  (isMeant: (row: Row) => boolean): Change =>
  ({ tables }) => {
    const found = present(tables.events.find(isMeant));
    const isGone = (one: Row) => isMeant(one) && text(one, 'event_key') === text(found, 'event_key');
    tables.events = tables.events.filter((one) => !isGone(one));
  };
/** The row of a live order with several facts. */
const order =
  (change: (row: Changeable<Row>, history: Changeable<History>) => unknown): Change =>
  (history) => {
    const isMeant = (one: Row) => text(one, 'order_key').startsWith('live:order:') && factsOf(one).length > 2;
    return change(present(history.tables.orders.find(isMeant)), history);
  };
const factsOf = (one: Row): string[] => one['facts']?.['SS'] as string[];
const isAcknowledged = ({ attempts: [first, ...more] }: Delivery): boolean =>
  more.length === 0 && first?.outcome.kind === 'status' && first.outcome.status === 202;
const respond =
  (isMeant: (delivery: Delivery) => boolean, status: number): Change =>
  ({ deliveries }) => {
    const attempt = present(deliveries.find(isMeant)?.attempts.at(-1));
    attempt.outcome = { kind: 'status', status, body: '' };
  };
const bodyOf = (call: Changeable<HttpCall> | undefined) => {
  const { outcome } = present(call);
  return (outcome.kind === 'status' ? outcome.body : {}) as Record<string, unknown>;
};
const view =
  (change: (view: Record<string, unknown>) => unknown): Change =>
  ({ finalReads }) =>
    change(bodyOf(finalReads.orders[0]));
const message = (body: string) => {
  return { id: 'm', body, attributes: { mode: 'live' }, sentAt: 0, receives: 3 };
};

const wrong: Readonly<Record<Rule, Readonly<Record<string, Change>>>> = {
  responses: {
    'a forgery that is accepted': respond(({ kind }) => kind.startsWith('forged'), 202),
    'a genuine webhook that is refused': respond(isAcknowledged, 403),
    'a key that works after its end': (history) => {
      for (const value of history.secretValues)
        for (const key of value.keys ?? []) key.acceptedUntil = history.startedAt - 3_600_000;
    },
  },
  recorded: {
    'a lost event': without(isApplied),
    'other bytes': row(
      (one) => isEvent(one) && one['body'] !== undefined,
      (one) => Object.assign(one, { body: { B: base64('{}') }, body_encoding: { S: 'identity' } }),
    ),
    'a lost signature': row(isEvent, (one) => delete one['signature']),
    'two rows for one body': ({ tables }) =>
      tables.events.push({ ...present(tables.events.find(isEvent)), record: { S: 'conflict:x' } }),
    'a lock that has expired': ({ tables, expiredRows, endedAt: at }) =>
      expiredRows.push({ at, table: 'events', row: present(tables.events.find(isEvent)) }),
    'a reading that is not in the bytes': row(isApplied, (one) => Object.assign(one, { amount: { S: '9' } })),
  },
  invented: {
    'a forged body': ({ tables, deliveries }) => {
      const { body } = present(deliveries.find(({ kind }) => kind === 'forged'));
      const one = present(tables.events.find(isEvent));
      tables.events.push({ ...one, event_key: { S: 'live:event:evil' }, body_sha256: { B: sha256(body) } });
    },
    'a sandbox body in live mode': row(
      (one) => isEvent(one) && text(one, 'event_key').startsWith('sandbox'),
      (one) => Object.assign(one, { event_key: { S: text(one, 'event_key').replace('sandbox', 'live') } }),
    ),
  },
  orders: {
    'a wrong status': view((shown) => Object.assign(shown, { status: 'no status' })),
    'an order that readers do not get': ({ finalReads }) =>
      Object.assign(present(finalReads.orders[0]), { outcome: { kind: 'status', status: 404, body: {} } }),
    'an invented order': ({ tables }) =>
      tables.orders.push({ order_key: { S: 'live:order:no such order' }, sequence: { N: '1' } }),
    'a fact that its order lacks': order((one) => factsOf(one).shift()),
    'a fact that belongs elsewhere': order((one, { tables }) => {
      const other = present(tables.orders.find((another) => another !== one && isOf('live', another)));
      factsOf(other).push(present(factsOf(one)[0]));
    }),
    'an order that is full and has room': order((one) => factsOf(one).push('["full"]')),
    'a transaction without the entry of an event': row(
      (one) => text(one, 'record') === 'transaction' && text(one, 'event_key').startsWith('live'),
      (one) => present(one['entries']?.['SS'] as string[] | undefined).pop(),
    ),
  },
  outcomes: {
    'an event that is applied too soon': row(
      (one) => isEvent(one) && text(one, 'outcome') === 'unassigned',
      (one) => Object.assign(one, { outcome: { S: 'applied' } }),
    ),
    'a row that should not wait': row(isApplied, (one) =>
      Object.assign(one, { waiting: { S: 'live:unassigned' } }),
    ),
  },
  list: {
    'an order that a reader never got': ({ followers: [follower], tables }) => {
      present(tables.orders.find((one) => isOf(follower?.mode, one)));
      for (const page of follower?.pages ?? []) Object.assign(bodyOf(page), { orders: [] });
    },
  },
  feed: {
    'an order that was never published': (history) => {
      const { order_id } = JSON.parse(present(history.bus.find(isOfOrder)).detail) as { order_id: string };
      history.bus = history.bus.filter(({ detail }) => !detail.includes(JSON.stringify(order_id)));
    },
    'a state that never was': ({ bus }) => {
      const change = present(bus.find(isOfOrder));
      const current = { status: 'no status', attention: [] };
      change.detail = JSON.stringify({ ...JSON.parse(change.detail), current });
    },
  },
  waiting: {
    'a list without what waits': ({ finalReads }) => {
      present(finalReads.waiting.find((call) => (bodyOf(call)['events'] as unknown[]).length > 0));
      finalReads.waiting = [];
    },
    'a name without a meaning that nobody sees': without((one) => text(one, 'event_key').includes(':name:')),
    'a wait without an alarm': ({ metrics }) => {
      const metric = present(metrics.findLast(({ name }) => name === 'EventsUnassigned'));
      metric.value += 1;
    },
  },
  drained: {
    'a queue that is not empty': ({ queues, deliveries }) =>
      queues.events.push(message(present(deliveries.find(isAcknowledged)).body)),
    'dead letters without an alarm': ({ queues, deliveries }) =>
      queues.deadLetters.push(message(present(deliveries.find(isAcknowledged)).body)),
  },
  operators: {
    'an act without a record': ({ tables }) => {
      present(tables.events.find(isJudgement));
      tables.events = tables.events.filter((one) => !isAct(one));
    },
    'an act that no operator sent': (history) => {
      present(history.tables.events.find(isAct));
      history.operatorCalls = [];
    },
  },
  heartbeats: {
    'one that is not recorded': (history) => {
      const { body } = present(history.heartbeats.find(({ status }) => status === 202));
      history.heartbeats.push({
        at: 0,
        status: 202,
        body: base64(atob(body).replace(/"id":"/, '"id":"other ')),
      });
    },
    'one whose row never expires': row(isHeartbeat, (one) => delete one['expires_at']),
    'one that is never published': (history) => {
      present(history.tables.orders.find((one) => text(one, 'order_key').startsWith('heartbeat')));
      history.bus = history.bus.filter(isOfOrder);
    },
    'one that is never counted': (history) => {
      present(history.bus.find((one) => !isOfOrder(one)));
      history.metrics = history.metrics.filter(({ name }) => name !== 'HeartbeatReturned');
    },
  },
  retention: {
    'a body that never expires': row(
      (one) => isBody(one) && one['expires_at'] !== undefined,
      (one) => delete one['expires_at'],
    ),
    'a body that expires while its event waits': row(
      (one) => isBody(one) && one['expires_at'] === undefined,
      (one) => Object.assign(one, { expires_at: { N: '1' } }),
    ),
  },
  erased: {
    'a body that is still there': row(
      (one) => one['erased'] !== undefined,
      (one) => Object.assign(one, { body: { B: base64('{}') }, body_encoding: { S: 'identity' } }),
    ),
  },
};

const isOf = (mode: string | undefined, one: Row): boolean =>
  text(one, 'order_key').startsWith(`${mode}:order:`);
const isOfOrder = ({ detailType }: History['bus'][number]): boolean => detailType === 'OrderStatusChanged';

/** The history of the first run in which there is something to change. */
function changed(change: Change): History {
  for (const history of histories) {
    const copy = structuredClone(history) as Changeable<History>;
    try {
      change(copy);
      return copy as History;
    } catch (error) {
      if (!(error instanceof Absent)) throw error;
    }
  }
  return expect.unreachable(`None of ${histories.length} runs has this.`);
}

describe.each(Object.entries(wrong))('the rule "%s" of the checker', (rule, changes) => {
  it.each(Object.entries(changes))('finds %s', (_, change) => {
    expect(check(changed(change)).map((violation) => violation.rule)).toContain(rule);
  });
});

it('the checker has no rule that nothing breaks', () => {
  expect(Object.keys(wrong)).toEqual(Object.keys(rules));
});
