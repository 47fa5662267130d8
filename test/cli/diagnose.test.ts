import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
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
const base64 = Buffer.from(event).toString('base64');

const signed = (body: string | Uint8Array, text = key.text) =>
  createHmac('sha256', text).update(body).digest('hex');

/** The verdict and the mistakes for a body with this signature. */
const found = (body: string | Uint8Array, header: string, keys: Evidence['keys'] = [key]) => {
  const { verdict, mistakes } = diagnose({ body: Buffer.from(body), header, keys });
  return [verdict, ...mistakes];
};

describe('diagnose explains a body', () => {
  it.each([
    ['compact', event],
    ['indented by tabs', JSON.stringify(JSON.parse(event), null, '\t')],
    ['with a line end after it', `${JSON.stringify(JSON.parse(event), null, 4)}\n`],
    [
      'as Python writes it by default',
      '{"id": "1", "sandbox": false, "url": "https://a.example/\\u00fc", "amount": "100.00", "list": [1, 2]}',
    ],
    ['as PHP writes it by default', event.replaceAll('/', '\\/').replace('ü', '\\u00fc')],
  ])('that was signed %s and then parsed and written again', (_, sent) => {
    const verified = JSON.stringify(JSON.parse(event), null, 3);
    expect(found(verified, signed(sent))).toEqual(['explained', 're_serialised']);
  });

  it.each([
    ['lost its CR LF', event, `${event}\r\n`, 'trimmed'],
    ['gained spaces around it', `  ${event} `, event, 'trimmed'],
    ['is still base64 text, with a line end', `${base64}\n`, event, 'base64_literal'],
    ['is still compressed', gzipSync(event), event, 'gzip'],
    ['is compressed, and was written again', gzipSync('{"a": 1}'), '{"a":1}', 'gzip', 're_serialised'],
  ])('that %s', (_, body, sent, ...mistakes) => {
    expect(found(body, signed(sent))).toEqual(['explained', ...mistakes]);
  });
});

describe('diagnose explains a header that', () => {
  const right = signed(event);
  it.each([
    [right.toUpperCase(), 'upper_case'],
    [Buffer.from(right, 'hex').toString('base64'), 'base64_digest'],
    [Buffer.from(right, 'hex').toString('base64url'), 'base64_digest'],
    [`sha256=${right}`, 'extra_characters'],
    [` ${right}`, 'extra_characters'],
    [`"${right}"`, 'extra_characters'],
    [`X-Service-Signature: ${right}`, 'extra_characters'],
    ['', 'not_a_signature'],
    [right.slice(0, 63), 'not_a_signature'],
    [`sha256=${signed(`${event}\n`).toUpperCase()}`, 'extra_characters', 'upper_case', 'trimmed'],
  ])('is %j: %s', (header, ...mistakes) => {
    expect(found(event, header)).toEqual(['explained', ...mistakes]);
  });
});

describe('diagnose compares with each key and', () => {
  const sandbox = { ...key, text: 'pri_sandbox_key', mode: 'sandbox' } as const;
  const former = { ...key, text: 'pri_former', accepted_until: '2026-11-01T00:00:00.000Z' };
  const expired = { ...former, state: 'expired' } as const;
  const overlap = { ...former, state: 'overlap' } as const;
  const other = { ...key, text: 'pri_other', isOther: true };

  it.each([
    ['explains a sandbox key for a live event', event, sandbox, ['explained', 'sandbox_key']],
    ['accepts a sandbox key for a sandbox event', sandboxEvent, sandbox, ['right']],
    ['explains a live key for a sandbox event', sandboxEvent, key, ['explained', 'live_key']],
    ['explains an expired key', event, expired, ['explained', 'previous_key']],
    ['accepts a former key in its overlap', event, overlap, ['right']],
    ['explains a key that the receiver does not verify with', event, other, ['explained', 'wrong_key']],
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
    const right = signed(body, 'pri_live_key');
    const { code, stdout, stderr } = await diagnoseBody(right.toUpperCase(), ['--local', url]);
    expect(stdout).toMatch(/^upper_case: The digest is in upper case\.\n {2}Compare in lower case\. /);
    expect(stdout + stderr).not.toContain(right);
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

  it('reports a match with a key of the stack instead of the given one as a mistake', async () => {
    const { url } = await startLocalStack({ keys });
    const env = { PAYHOOKS_PRIVATE_KEY: 'pri_own_key' };
    const { stdout } = await diagnoseBody(signed(body, 'pri_old_key'), ['--local', url, '--json'], { env });
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'explained', mistakes: [{ name: 'wrong_key' }] });
  });
});
