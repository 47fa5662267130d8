import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { diagnose, type Evidence } from '../../cli/diagnose/diagnosis.ts';
import { startLocalStack } from '../doubles/local-stack.ts';
import { type Run, runPayhooks } from './payhooks-process.ts';

const key: Evidence['keys'][number] = {
  ...{ id: 'a1b2c3d4e5f6', mode: 'live', accepted_until: null, state: 'current', from: 'the stack' },
  text: 'pri_diagnose_key',
};
const event = '{"id":"1","sandbox":false,"url":"https://a.example/ü","amount":"100.00","list":[1,2]}';
const sandboxEvent = event.replace('"sandbox":false', '"sandbox":true');
const verified = JSON.stringify(JSON.parse(event), null, 3);
const inPython =
  '{"id": "1", "sandbox": false, "url": "https://a.example/\\u00fc", "amount": "100.00", "list": [1, 2]}';
const inPhp = event.replaceAll('/', '\\/').replace('ü', '\\u00fc');

const signed = (body: string, text = key.text) => createHmac('sha256', text).update(body).digest('hex');
const right = signed(event);
const base64 = (text: string, encoding?: 'hex') => Buffer.from(text, encoding).toString('base64');

/** The verdict and the mistakes for a body with this signature. */
const found = (body: string, header: string, keys: Evidence['keys'] = [key]) => {
  const { verdict, mistakes } = diagnose({ body: Buffer.from(body), header, keys });
  return [verdict, ...mistakes];
};

describe('diagnose explains', () => {
  it.each([
    ['compact JSON that was written again', verified, right, 're_serialised'],
    ['JSON as Python writes it, written again', verified, signed(inPython), 're_serialised'],
    ['JSON as PHP writes it, written again', verified, signed(inPhp), 're_serialised'],
    ['a body that lost its CR LF', event, signed(`${event}\r\n`), 'trimmed'],
    ['a body with spaces around it', `  ${event} `, right, 'trimmed'],
    ['a body that is still base64 text', `${base64(event)}\n`, right, 'base64_literal'],
    ['a digest in upper case', event, right.toUpperCase(), 'digest_form'],
    ['a digest in base64', event, base64(right, 'hex'), 'digest_form'],
    ['a digest with a prefix', event, `sha256=${right}`, 'digest_form'],
    ['a digest in quotation marks', event, `"${right}"`, 'digest_form'],
    ['a whole header line', event, `X-Service-Signature: ${right}`, 'digest_form'],
    ['an empty header', event, '', 'not_a_signature'],
    ['a digest that lost a digit', event, right.slice(0, 63), 'not_a_signature'],
    ['two mistakes', event, signed(`${event}\n`).toUpperCase(), 'digest_form', 'trimmed'],
  ])('%s', (_, body, header, ...mistakes) => {
    expect(found(body, header)).toEqual(['explained', ...mistakes]);
  });
});

describe('diagnose compares with each key and', () => {
  const sandbox = { ...key, text: 'pri_sandbox_key', mode: 'sandbox' } as const;
  const former = { ...key, text: 'pri_former', accepted_until: '2026-11-01T00:00:00.000Z' };
  const expired = { ...former, state: 'expired' } as const;
  const overlap = { ...former, state: 'overlap' } as const;

  it.each([
    ['explains a sandbox key for a live event', event, sandbox, ['explained', 'other_mode']],
    ['accepts a sandbox key for a sandbox event', sandboxEvent, sandbox, ['right']],
    ['explains a live key for a sandbox event', sandboxEvent, key, ['explained', 'other_mode']],
    ['explains an expired key', event, expired, ['explained', 'previous_key']],
    ['accepts a former key in its overlap', event, overlap, ['right']],
  ])('%s', (_, body, used, expected) => {
    expect(found(body, signed(body, used.text), [key, used])).toEqual(expected);
  });

  it('reports a signature by an unknown key as unexplained', () => {
    expect(found(event, signed(event, 'pri_of_a_stranger'))).toEqual(['unexplained', 'wrong_key']);
  });
});

describe('payhooks diagnose', () => {
  const body = '{"sandbox":false,"amount":"100.00"}';
  const keys = '{"private_keys":[{"key":"pri_live_key"},{"key":"pri_old_key"}]}';

  /** The command for the body and this header; no output may hold a key. */
  async function diagnoseBody(header: string, options: readonly string[], run: Run = {}) {
    const argv = ['diagnose', '--body', '-', '--signature', header, ...options];
    const ended = await runPayhooks(argv, { stdin: body, ...run });
    expect(ended.stdout + ended.stderr).not.toMatch(/pri_(live|old|own)_key/);
    return ended;
  }

  it('exits with 0 when the signature is right, and names the key', async () => {
    const { url } = await startLocalStack({ keys });
    const { code, stdout } = await diagnoseBody(signed(body, 'pri_live_key'), ['--local', url]);
    expect(stdout).toMatch(
      /^The signature is right\.\nMade with the key [0-9a-f]{12} \(live, current\) of the stack\.\n$/,
    );
    expect(code).toBe(0);
  });

  it('exits with 1 and prints the mistake and the fix, but not the right signature', async () => {
    const { url } = await startLocalStack({ keys });
    const signature = signed(body, 'pri_live_key');
    const { code, stdout, stderr } = await diagnoseBody(signature.toUpperCase(), ['--local', url]);
    expect(stdout).toMatch(
      /^digest_form: The digest is in upper case.*\n {2}Use the value of the header unchanged: /,
    );
    expect(stdout + stderr).not.toContain(signature);
    expect(code).toBe(1);
  });

  it('needs no stack with a key in the environment', async () => {
    const env = { PAYHOOKS_PRIVATE_KEY: 'pri_own_key' };
    const spaced = '{"sandbox": false, "amount": "100.00"}';
    const own = await diagnoseBody(signed(spaced, 'pri_own_key'), ['--json'], { env });
    expect(JSON.parse(own.stdout)).toMatchObject({
      verdict: 'explained',
      mistakes: [{ name: 're_serialised' }],
      key: { mode: 'live', state: 'current', from: 'the environment' },
    });
  });
});
