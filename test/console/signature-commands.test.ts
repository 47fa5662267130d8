import { spawnSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signatureCommands } from '../../console/page/event/signature-commands.ts';

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
