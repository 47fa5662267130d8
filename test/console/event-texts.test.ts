import { spawnSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import type { StoredEventRecord } from '@payhooks/order-client';
import { describe, expect, it } from 'vitest';
import { eventSentence } from '../../console/page/event/event-sentence.ts';
import { signatureCommands } from '../../console/page/event/signature-commands.ts';

const record = (more: Partial<StoredEventRecord>): StoredEventRecord => ({
  ...{ record: 'event', outcome: 'applied', reason: null, waiting: null, event_name: 'transaction.paid' },
  ...{ order_id: 'order-1', transaction_id: 't', received_at: '', recorded_at: '', key_id: 'k' },
  ...{ signature: 'cd', body_sha256: 'ab', has_body: true, judged: null, erased: null, counts: true },
  ...more,
});
const waits = record({ record: 'conflict', outcome: 'conflict', waiting: 'conflict', counts: false });
const dismissed = { verdict: 'dismissed', by: 'ana', at: '', reason: 'a test', order_id: null } as const;

describe('the first line of an event', () => {
  it.each([
    [
      'a conflict',
      [record({}), waits],
      'It counts in order-1. Another body under the same id says something else. It waits for a person.',
    ],
    [
      'a quarantined event that was dismissed',
      [record({ outcome: 'quarantined', reason: 'sandbox_flag_missing', judged: dismissed })],
      'It was not applied: the sandbox flag is missing. An operator dismissed it. Nothing waits.',
    ],
  ])('says what became of %s', (_, records, sentence) => {
    expect(eventSentence({ records })).toBe(sentence);
  });
});

describe('the commands about a signature', () => {
  const body = Buffer.from('{"a": "it\'s\\u00e9"}\n');
  const key = "pri_it's$HOME";
  const signature = createHmac('sha256', key).update(body).digest('hex');
  const bodyBase64 = body.toString('base64');
  const to = { webhookUrl: 'http://127.0.0.1:1/webhooks/payments', signatureHeader: 'x-service-signature' };
  const { curl: command, verify } = signatureCommands({ ...to, signature, bodyBase64 });
  const bash = (script: string, input = '') => spawnSync('bash', ['-c', script], { input }).stdout;

  it('post the same bytes with their signature', () => {
    expect(bash(`curl() { cat; }; ${command}`)).toEqual(body);
    const shown = bash(`curl() { printf '%s\\n' "$@"; }; ${command}`).toString();
    expect(shown.split('\n')).toContain(`x-service-signature: ${signature}`);
    expect(shown.split('\n')).toContain(to.webhookUrl);
  });

  it('compute the signature and the id of the key that is typed', () => {
    const keyId = createHash('sha256').update(`payhooks key id:${key}`).digest('hex').slice(0, 12);
    const printed = bash(verify, `${key}\n`).toString();
    expect(printed.split('\n')).toEqual([expect.stringMatching(new RegExp(`${signature}$`)), keyId, '']);
  });
});
