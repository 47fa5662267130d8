import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';

const page = await readFile(join(import.meta.dirname, '../../docs/threat-model.md'), 'utf8');
const [, commands = ''] = /<!-- evidence -->\n```sh\n([\s\S]+?)\n```/.exec(page) ?? [];

// openssl dgst -sha256 -hmac pri_test_key
const body = Buffer.from('{"id":"evt-1","event_name":"transaction.paid"}');
const signature = '74ac31d9d480a39e7b3ef8d1d375c32e52f078cc2b0cddeb2ac7536f66197762';
const longBody = Buffer.from(`{"id":"evt-1","pad":"${'ä'.repeat(200)}"}`);
const longSignature = '0ad0302211fd6a40f79117a48437293f7bf95b48944b3ba9ab3b95cab0ff4892';

/** Prints what `aws dynamodb get-item --output text --query Item.NAME.TYPE` prints for these items. */
const aws = `
const items = JSON.parse(process.env.ITEMS);
const option = (name) => process.argv[process.argv.indexOf(name) + 1];
const { event_key: { S: key }, record: { S: record } } = JSON.parse(option('--key'));
const [, name, type] = option('--query').split('.');
const isRight = process.argv.slice(2, 4).join(' ') === 'dynamodb get-item' && key === 'live:event:EVENT_ID';
console.log(isRight ? (items[record]?.[name]?.[type] ?? 'None') : 'wrong arguments');
`;

type Item = Readonly<Record<string, { readonly S?: string; readonly B?: string }>>;

/** Runs the commands of the page over a table with these items of one event; returns the last line. */
async function check(
  items: Readonly<Record<string, Item>>,
  privateKey: string,
  change = (text: string) => text,
) {
  const directory = await mkdtemp(join(tmpdir(), 'payhooks-evidence-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  await writeFile(join(directory, 'aws.cjs'), aws);
  const script = `aws() { node aws.cjs "$@"; }\n${change(commands)}\n`;
  const env = { ...process.env, ITEMS: JSON.stringify(items), PRIVATE_KEY: privateKey };
  const { stdout } = await promisify(execFile)('bash', ['-c', `${script} true`], { cwd: directory, env });
  return { lines: stdout.trimEnd().split('\n'), body: await readFile(join(directory, 'body.json')) };
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const signed = (hex: string): Item => ({
  key_id: { S: '9a76d0a46113' },
  signature: { B: Buffer.from(hex, 'hex').toString('base64') },
});
const plain: Item = { body: { B: base64(body) }, body_encoding: { S: 'identity' } };

describe('the commands of docs/threat-model.md about a stored signature', () => {
  const proof = [
    'signed with the key 9a76d0a46113',
    'PRIVATE_KEY is the key 9a76d0a46113',
    'the signature is right',
  ];

  it('prove that a stored body was signed with the key', async () => {
    const shown = await check({ event: { ...plain, ...signed(signature) } }, 'pri_test_key');
    expect(shown).toEqual({ lines: proof, body });
  });

  it('unpack a body that is stored compressed, also in a row of its own', async () => {
    const stored = { body: { B: base64(brotliCompressSync(longBody)) } };
    const items = { event: signed(longSignature), 'body:abc': stored };
    const inRow = (text: string) => text.replace('record=event ', 'record=body:abc ');
    const shown = await check(items, 'pri_test_key', inRow);
    expect(shown).toEqual({ lines: proof, body: longBody });
  });

  it('do not prove it with another key, or a body with one other bit', async () => {
    const item = { ...plain, ...signed(signature) };
    const { lines } = await check({ event: item }, 'pri_other_key');
    expect(lines.at(-1)).toMatch(/differ/);
    const changed = base64(body.map((byte, at) => (at === 7 ? byte ^ 1 : byte)));
    const { lines: others } = await check({ event: { ...item, body: { B: changed } } }, 'pri_test_key');
    expect(others.at(-1)).toMatch(/differ/);
  });
});
