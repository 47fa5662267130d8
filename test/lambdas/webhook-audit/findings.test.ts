import { execFileSync } from 'node:child_process';
import type { Webhook } from '@payhooks/payment-service';
import { uuid } from '@payhooks/payment-service/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { auditRegistrations } from '../../../lambdas/webhook-audit/audit.ts';
import { fixCommand } from '../../../lambdas/webhook-audit/finding.ts';

const url = 'https://hooks.example.com/webhooks/payments';
const both = ['transaction.paid', 'transaction.refunded'];
const expected = { url, requiredEvents: both };

/** A complete live registration of our URL, or a changed one. */
const webhook = (number: number, change: Partial<Webhook> = {}): Webhook => ({
  object: 'v2.webhook',
  id: uuid(number),
  url,
  is_live_mode: true,
  enabled_events: both,
  created_at: `2026-11-02 09:00:0${number}`,
  record: {},
  ...change,
});
const events = (...names: string[]) => ({ enabled_events: names });
const paidOnly = events('transaction.paid');
const refundedOnly = events('transaction.refunded');
const sandbox = { is_live_mode: false };
const elsewhere = { url: 'https://other.example.com/', ...paidOnly };

/** Issues as "kind: arguments of the fix". */
const issues = (...webhooks: Webhook[]): string[] =>
  auditRegistrations({ webhooks, unreadable: [] }, expected).map(
    ({ kind, fix }) => `${kind}: ${fix.join(' ')}`,
  );
const deletion = (number: number): string => `registered_twice: webhooks delete ${uuid(number)}`;
const update = (kind: string, ...names: string[]): string =>
  `${kind}: webhooks update ${uuid(1)} --events ${names.join(',')}`;

describe('auditRegistrations', () => {
  it('finds no issue in two registrations without a common event', () => {
    expect(issues(webhook(1, paidOnly), webhook(2, refundedOnly))).toEqual([]);
  });

  it.each([
    ['https://HOOKS.example.com/webhooks/payments', true],
    ['https://hooks.example.com:443/webhooks/payments', true],
    ['https://hooks.example.com/webhooks/payments?', true],
    ['https://hooks.example.com/webhooks/payments#x', true],
    ['https://hooks.example.com/webhooks/payments?x', false],
    ['https://hooks.example.com/webhooks/payments/', false],
    ['https://hooks.example.com/Webhooks/payments', false],
    ['http://hooks.example.com/webhooks/payments', false],
    ['no address', false],
  ])('compares %s with our URL as an address: %s', (registered, isOurs) => {
    expect(issues(webhook(1, { url: registered }))).toEqual(
      isOurs ? [] : ['not_registered: webhooks register'],
    );
  });

  it.each([
    ['no webhook', [], 'not_registered: webhooks register'],
    ['sandbox registrations only', [webhook(1, sandbox), webhook(2, sandbox)], 'not_live: webhooks register'],
    [
      'an event name that no list can carry',
      [webhook(1, events('transaction.paid', 'a.b,c.d', 'e.f g', '', 'h.\u001b[2J', 'payout.*'))],
      update('event_missing', 'transaction.paid', 'payout.*', 'transaction.refunded'),
    ],
  ])('returns the fix for an account with %s', (_, webhooks, issue) => {
    expect(issues(...webhooks)).toEqual([issue]);
  });

  const created_at = '2026-11-02 09:00:00';
  it.each([
    ['the oldest of equal ones', [webhook(3), webhook(1), webhook(2)], [deletion(2), deletion(3)]],
    [
      'the lowest id of equally old ones',
      [webhook(2, { created_at }), webhook(1, { created_at })],
      [deletion(2)],
    ],
    ['the one with most required events', [webhook(1, paidOnly), webhook(2)], [deletion(1)]],
    [
      'the most complete, and first adds the additional events of the others',
      [webhook(1), webhook(2, events('transaction.paid', 'transaction.failed'))],
      [update('registered_twice', ...both, 'transaction.failed')],
    ],
  ])('keeps of several registrations %s', (_, webhooks, expectedIssues) => {
    expect(issues(...webhooks)).toEqual(expectedIssues);
  });

  it('judges nothing by a row of ours that cannot be read, and passes over the others', () => {
    const mismatch = { path: '$.data[4].created_at', field: 'created_at', found: 'null', expected: 'a time' };
    const row = (of: string | null) => ({ id: uuid(9), url: of, mismatch, record: {} });
    const unreadable = [row(null), row('no address'), row(elsewhere.url)];
    expect(auditRegistrations({ webhooks: [webhook(1)], unreadable }, expected)).toEqual([]);
    expect(auditRegistrations({ webhooks: [], unreadable: [...unreadable, row(url)] }, expected)).toEqual([
      {
        kind: 'registration_unreadable',
        detail:
          `${url} is registered, but what the payment service lists of it is unreadable: ` +
          '$.data[4].created_at is null; expected a time.',
        fix: ['webhooks', 'list'],
      },
    ]);
  });

  it('leads by its first fix, again and again, to each required event once; none that came is lost', () => {
    const anyWebhook = fc.record({
      url: fc.constantFrom(url, elsewhere.url),
      is_live_mode: fc.boolean(),
      enabled_events: fc.uniqueArray(fc.constantFrom(...both, 'transaction.failed')),
    });
    const property = fc.property(fc.array(anyWebhook, { maxLength: 5 }), (changes) => {
      let webhooks = changes.map((change, n) => webhook(n + 1, change));
      const isOurs = (one: Webhook) => one.url === url && one.is_live_mode;
      const delivered = () => webhooks.filter(isOurs).flatMap((one) => one.enabled_events);
      const [others, before] = [webhooks.filter((one) => !isOurs(one)), delivered()];
      for (let rounds = 0; rounds < 9; rounds += 1) {
        const [{ fix } = { fix: [] }] = auditRegistrations({ webhooks, unreadable: [] }, expected);
        const [, verb, id, , names = ''] = fix;
        if (verb === 'register') webhooks.push(webhook(9));
        webhooks = webhooks
          .filter((one) => verb !== 'delete' || one.id !== id)
          .map((one) =>
            verb === 'update' && one.id === id ? { ...one, ...events(...names.split(',')) } : one,
          );
      }
      expect(issues(...webhooks)).toEqual([]);
      expect(delivered().toSorted()).toEqual([...new Set([...before, ...both])].sort());
      expect(webhooks.filter((one) => !isOurs(one))).toEqual(others);
    });
    fc.assert(property);
  });
});

it('fixCommand quotes values of the payment service, so that a shell runs nothing in them', () => {
  const hostile = ["$(touch x).paid','`id`", 'a"b', '*', '~', '&& exit 1', 'transaction.paid', ''];
  const command = fixCommand({ fix: hostile }, 'payhooks-production');
  // printf prints each word in a line of its own in place of running the command.
  const script = command.replace(/^npx payhooks/, "printf '%s\\n'");
  expect(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' })).toBe(
    [...hostile, '--stack', 'payhooks-production', ''].join('\n'),
  );
});
