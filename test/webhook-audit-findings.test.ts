import { execFileSync } from 'node:child_process';
import type { Webhook } from '@payhooks/payment-service';
import { uuid } from '@payhooks/payment-service/testing';
import { describe, expect, it } from 'vitest';
import { auditRegistrations, fixCommand } from '../lambdas/webhook-audit/audit.ts';

const url = 'https://hooks.example.com/webhooks/payments';
const expected = { url, requiredEvents: ['transaction.paid', 'transaction.refunded'] };
const both = ['transaction.paid', 'transaction.refunded'];

/** A live registration of our URL for all that is required, unless told otherwise. */
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

/** Findings as "kind: arguments of the fix". */
const found = (...webhooks: Webhook[]): string[] =>
  auditRegistrations(webhooks, expected).map(({ kind, fix }) => `${kind}: ${fix.join(' ')}`);

describe('the audit of registrations', () => {
  it('finds nothing where our URL is registered live for what is required', () => {
    expect(found(webhook(1))).toEqual([]);
  });

  it('finds nothing in a sandbox registration beside a live one, nor in those of other URLs', () => {
    const other = { url: 'https://other.example.com/', enabled_events: ['transaction.paid'] };
    expect(
      found(webhook(3, { is_live_mode: false }), webhook(2, other), webhook(1), webhook(4, other)),
    ).toEqual([]);
  });

  it('finds nothing in events beyond the required ones', () => {
    expect(found(webhook(1, { enabled_events: [...both, 'transaction.failed'] }))).toEqual([]);
  });

  it.each([
    'https://HOOKS.example.com/webhooks/payments',
    'https://hooks.example.com:443/webhooks/payments',
    'HTTPS://hooks.example.com/webhooks/payments',
  ])('takes %s for our URL', (written) => {
    expect(found(webhook(1, { url: written }))).toEqual([]);
  });

  it.each([
    'https://hooks.example.com/webhooks/payments/',
    'https://hooks.example.com/Webhooks/payments',
    'https://hooks.example.com/webhooks/payments?a=1',
    'https://hooks.example.com:8443/webhooks/payments',
    'http://hooks.example.com/webhooks/payments',
    'https://example.com/webhooks/payments',
    'hooks.example.com/webhooks/payments',
    'no address',
  ])('takes %s for another URL', (written) => {
    expect(found(webhook(1, { url: written }))).toEqual(['not_registered: webhooks register']);
  });

  it('finds that our URL is not registered, and says among how many webhooks', () => {
    expect(auditRegistrations([webhook(1, { url: 'https://other.example.com/' })], expected)).toEqual([
      {
        kind: 'not_registered',
        detail:
          'https://hooks.example.com/webhooks/payments is not registered (webhooks of the account: 1): ' +
          'no event is delivered to it.',
        fix: ['webhooks', 'register'],
      },
    ]);
    expect(found()).toEqual(['not_registered: webhooks register']);
  });

  it('finds that our URL is registered in sandbox mode only, however often', () => {
    const sandbox = { is_live_mode: false };
    expect(found(webhook(1, sandbox), webhook(2, sandbox))).toEqual(['not_live: webhooks register']);
  });

  it('finds a required event that is not enabled, and the fix names what is enabled as well', () => {
    const enabled = { enabled_events: ['transaction.failed', 'transaction.paid'] };
    expect(auditRegistrations([webhook(7, enabled)], expected)).toEqual([
      {
        kind: 'event_missing',
        detail:
          'https://hooks.example.com/webhooks/payments is registered, but not for transaction.refunded.',
        fix: [
          'webhooks',
          'update',
          '0b0e7a52-5a3c-4f6e-9d11-000000000007',
          '--events',
          'transaction.failed,transaction.paid,transaction.refunded',
        ],
      },
    ]);
  });

  it('leaves out of the fix what no list of event names can carry', () => {
    const strange = ['transaction.paid', 'a.b,c.d', 'e.f g', '', 'h.\u001b[2J', 'payout.*'];
    expect(found(webhook(1, { enabled_events: strange }))).toEqual([
      `event_missing: webhooks update ${uuid(1)} --events transaction.paid,payout.*,transaction.refunded`,
    ]);
  });
});

describe('several live registrations of our URL', () => {
  const paidOnly = { enabled_events: ['transaction.paid'] };
  const refundedOnly = { enabled_events: ['transaction.refunded'] };

  it('are found, and of equal ones all but the oldest are to be deleted', () => {
    expect(found(webhook(3), webhook(1), webhook(2))).toEqual([
      `registered_twice: webhooks delete ${uuid(2)}`,
      `registered_twice: webhooks delete ${uuid(3)}`,
    ]);
  });

  it('of the same second are told apart by their ids', () => {
    const created_at = '2026-11-02 09:00:00';
    expect(found(webhook(2, { created_at }), webhook(1, { created_at }))).toEqual([
      `registered_twice: webhooks delete ${uuid(2)}`,
    ]);
  });

  it('are kept by what they cover of the required events before they are kept by age', () => {
    expect(found(webhook(1, paidOnly), webhook(2))).toEqual([`registered_twice: webhooks delete ${uuid(1)}`]);
  });

  it('miss no event that one of them has, and that one is taken over before anything is deleted', () => {
    expect(found(webhook(1, paidOnly), webhook(2, refundedOnly))).toEqual([
      `registered_twice: webhooks update ${uuid(1)} --events transaction.paid,transaction.refunded`,
    ]);
    const extra = { enabled_events: ['transaction.paid', 'transaction.failed'] };
    expect(found(webhook(1), webhook(2, extra))).toEqual([
      `registered_twice: webhooks update ${uuid(1)} ` +
        '--events transaction.paid,transaction.refunded,transaction.failed',
    ]);
  });

  it('miss an event that none of them has', () => {
    expect(found(webhook(1, paidOnly), webhook(2, paidOnly))).toEqual([
      `event_missing: webhooks update ${uuid(1)} --events transaction.paid,transaction.refunded`,
      `registered_twice: webhooks delete ${uuid(2)}`,
    ]);
  });

  it('are mended by doing what is said, however often it takes', () => {
    let webhooks = [webhook(1, paidOnly), webhook(2, refundedOnly), webhook(3)];
    for (let rounds = 0; rounds < 5; rounds += 1) {
      const [{ fix } = { fix: [] }] = auditRegistrations(webhooks, expected);
      const [, verb, id, , events = ''] = fix;
      if (verb === 'delete') webhooks = webhooks.filter((one) => one.id !== id);
      if (verb === 'update') {
        const enabled_events = events.split(',');
        webhooks = webhooks.map((one) => (one.id === id ? { ...one, enabled_events } : one));
      }
    }
    expect(webhooks).toEqual([webhook(3)]);
  });
});

describe('the command that mends a finding', () => {
  it('can be pasted as it is', () => {
    const [finding = { fix: [] }] = auditRegistrations([], expected);
    expect(fixCommand(finding, 'payhooks-production')).toBe(
      'npx payhooks webhooks register --stack payhooks-production',
    );
  });

  it('hands over to a shell exactly what it was made of, whatever the payment service holds', () => {
    const hostile = ["$(touch x).paid','`id`", 'a"b', '*', '~', '&& exit 1', 'transaction.paid', ''];
    const command = fixCommand({ fix: hostile }, 'payhooks-production');
    // The shell prints each word in a line of its own in place of running the command.
    const script = command.replace(/^npx payhooks/, "printf '%s\\n'");
    expect(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' })).toBe(
      [...hostile, '--stack', 'payhooks-production', ''].join('\n'),
    );
  });

  it('quotes nothing that needs no quotes', () => {
    const fix = ['webhooks', 'update', uuid(1), '--events', 'transaction.paid,transaction.refunded'];
    expect(fixCommand({ fix }, 'payhooks-staging')).toBe(
      'npx payhooks webhooks update 0b0e7a52-5a3c-4f6e-9d11-000000000001 ' +
        '--events transaction.paid,transaction.refunded --stack payhooks-staging',
    );
  });
});
