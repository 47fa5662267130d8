import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { variables } from '../../lambdas/contract/environment.ts';
import { readCorpus } from './corpus.ts';
import { examine } from './examine.ts';
import { fuzz } from './fuzz.ts';
import { byteSequences } from './inputs/byte-sequences.ts';
import { jsonTexts } from './inputs/json-texts.ts';
import { type NaughtyKind, naughtyStrings } from './inputs/naughty-strings.ts';
import type { Target } from './target.ts';
import { cursorTarget } from './targets/cursor.ts';
import { createEventTarget } from './targets/event.ts';
import { keySecretTarget } from './targets/key-secret.ts';
import { createListParametersTarget } from './targets/list-parameters.ts';
import { createSignatureHeaderTarget } from './targets/signature-header.ts';

const document = readFileSync(join(import.meta.dirname, '../../docs/reliability.md'), 'utf8');
vi.stubEnv(variables.metricsNamespace, 'payhooks/fuzz');
vi.stubEnv(variables.serviceName, 'fuzz');
const event = createEventTarget();
const header = createSignatureHeaderTarget();
const parameters = await createListParametersTarget();
const targets = [event, header, cursorTarget, keySecretTarget, parameters];

const outcomeOf = (target: Target, text: string): Promise<string> => examine(target, Buffer.from(text));
/** An event with these fields, of which only the first level is complete. */
const eventWith = (fields: object, transaction: object = {}): string =>
  JSON.stringify({
    ...{ id: 'e', event_name: 'transaction.paid', sandbox: false },
    ...fields,
    payload: { transaction: { id: 'T', order_id: 'order-1', ...transaction } },
  });

describe.each(targets)('the corpus of the fuzzer for $name', (target) => {
  const corpus = readCorpus(target);

  it('has the outcomes that it had when it was kept', async () => {
    const now = [];
    for (const { input } of corpus) now.push({ input, outcome: await examine(target, input) });
    expect(now).toEqual(corpus);
  });

  it('has a row for each outcome in docs/reliability.md', () => {
    const rows = Object.entries(target.outcomes).map(
      ([outcome, input]) => `| ${target.name} | ${input} | ${outcome.split(/; expected|\.$/)[0]} |`,
    );
    expect(rows.filter((row) => !document.includes(row))).toEqual([]);
  });

  it('shows every documented outcome', () => {
    const shown = new Set(corpus.map(({ outcome }) => outcome));
    expect([...shown].toSorted()).toEqual(Object.keys(target.outcomes).toSorted());
  });
});

describe('a text on the border of JSON', () => {
  it.each(jsonTexts)('has its outcome as a whole body: %s', async (_, text, type) => {
    const expected = {
      object: 'unrecognised: id_missing',
      'another type': 'unrecognised: not_an_object',
      'not JSON': 'unrecognised: not_json',
    };
    expect(await outcomeOf(event, text)).toBe(expected[type]);
  });

  it.each(jsonTexts)(
    'never makes an event unrecognised as its payload, if it is JSON: %s',
    async (_, text, type) => {
      const body = `{"id":"e","event_name":"transaction.paid","sandbox":false,"payload":${text}}`;
      expect(await outcomeOf(event, body)).toBe(
        type === 'not JSON' ? 'unrecognised: not_json' : 'unassigned',
      );
    },
  );
});

describe('bytes on the border of UTF-8', () => {
  it.each(byteSequences)('are an event id, or make the event unrecognised: %s', async (_, hex, isUtf8) => {
    const [before, after] = ['{"id":"', '","event_name":"transaction.paid","sandbox":false}'];
    const body = Buffer.concat([Buffer.from(before), Buffer.from(hex, 'hex'), Buffer.from(after)]);
    expect(await examine(event, body)).toBe(isUtf8 ? 'unassigned' : 'unrecognised: not_utf8');
  });
});

describe('a naughty string', () => {
  const fields: readonly (readonly [
    field: string,
    body: (text: string) => string,
    outcomes: Readonly<Record<NaughtyKind, string>>,
  ])[] = [
    [
      'event id',
      (id) => eventWith({ id }),
      {
        plain: 'applied',
        empty: 'unrecognised: id_missing',
        'not unicode': 'unrecognised: id_invalid',
        long: 'unrecognised: id_invalid',
      },
    ],
    [
      'event name',
      (event_name) => eventWith({ event_name }),
      {
        plain: 'applied',
        empty: 'unrecognised: event_name_missing',
        'not unicode': 'unrecognised: event_name_invalid',
        long: 'unrecognised: event_name_invalid',
      },
    ],
    [
      'sandbox flag',
      (sandbox) => eventWith({ sandbox }),
      {
        plain: 'quarantined: sandbox_flag_missing',
        empty: 'quarantined: sandbox_flag_missing',
        'not unicode': 'quarantined: sandbox_flag_missing',
        long: 'quarantined: sandbox_flag_missing',
      },
    ],
    [
      'order id',
      (order_id) => eventWith({}, { order_id }),
      {
        plain: 'applied',
        empty: 'unassigned',
        'not unicode': 'quarantined: order_id_invalid',
        long: 'quarantined: order_id_invalid',
      },
    ],
    [
      'transaction id',
      (id) => eventWith({}, { id }),
      {
        plain: 'applied',
        empty: 'applied',
        'not unicode': 'quarantined: transaction_id_invalid',
        long: 'quarantined: transaction_id_invalid',
      },
    ],
    [
      'amount, currency or time',
      (text) => eventWith({}, { amount: text, currency: text, created_at: text }),
      { plain: 'applied', empty: 'applied', 'not unicode': 'applied', long: 'applied' },
    ],
  ];

  it.each(fields)('has the documented outcome as the %s of an event', async (_, bodyWith, outcomes) => {
    for (const { what, text, kind } of naughtyStrings)
      expect([what, await outcomeOf(event, bodyWith(text))]).toEqual([what, outcomes[kind]]);
  });

  it('is no signature', async () => {
    for (const { what, text } of naughtyStrings) {
      const expected = text === '' ? '403: missing' : '403: malformed';
      expect([what, await outcomeOf(header, text)]).toEqual([what, expected]);
    }
  });

  it('is no cursor, neither as it is nor in base64url', async () => {
    for (const { what, text } of naughtyStrings)
      for (const cursor of [text, Buffer.from(text).toString('base64url')])
        expect([what, await outcomeOf(cursorTarget, cursor)]).toEqual([what, '400']);
  });

  it('is refused as the value of a parameter with few values, and as its name', async () => {
    for (const { what, text } of naughtyStrings) {
      const encoded = new URLSearchParams([['', text]]).toString().slice(1);
      expect([what, await outcomeOf(parameters, `status=${encoded}`)]).toEqual([what, '400: status']);
      expect([what, await outcomeOf(parameters, `${encoded}=`)]).toEqual([what, '400: another parameter']);
    }
  });

  it('is an identifier of a private key if it is printable ASCII without blanks', async () => {
    for (const { what, text } of naughtyStrings) {
      const isPrintable =
        text !== '' && text.length <= 500 && [...text].every((one) => one > ' ' && one <= '~');
      const secret = JSON.stringify({ private_keys: [{ key: `pri_${text}` }] });
      const refused =
        'The key secret is malformed: private_keys[n].key is not a private key; expected pri_<identifier>.';
      expect([what, await outcomeOf(keySecretTarget, secret)]).toEqual([
        what,
        isPrintable ? 'keys' : refused,
      ]);
    }
  });
});

describe('the fuzzer', () => {
  const options = { seed: 1, corpus: [], isOver: (inputs: number) => inputs >= 5_000 };

  it('finds an outcome that is not documented, and prints the command that repeats it', async () => {
    const { 'unrecognised: event_name_missing': _, ...outcomes } = event.outcomes;
    await expect(fuzz({ ...event, outcomes }, options)).rejects.toThrow(
      /event_name_missing" is not documented\.\nTo repeat it: npm run fuzz -- --target event --input [\w+/]+=*$/,
    );
  });

  it('finds a failure behind a value that only a word of the target opens', async () => {
    const run = async (input: Uint8Array): Promise<string> => {
      const outcome = await event.run(input);
      if (outcome === 'applied' && Buffer.from(input).includes('"__proto__"')) throw new Error('polluted');
      return outcome;
    };
    // Many seeds find it among 5,000 inputs, this one soon.
    await expect(fuzz({ ...event, run }, { ...options, seed: 5 })).rejects.toThrow('It failed: polluted');
  });

  it('finds a line of the log that is no JSON object', async () => {
    const run = async (input: Uint8Array): Promise<string> => {
      process.stdout.write(`read ${input.length} bytes\n`);
      return event.run(input);
    };
    await expect(fuzz({ ...event, run }, options)).rejects.toThrow('no JSON object: read ');
  });

  it('finds an input that takes too much CPU time', async () => {
    const run = async (input: Uint8Array): Promise<string> => {
      const begin = process.threadCpuUsage().user;
      while (input.length > 0 && process.threadCpuUsage().user - begin < 110_000);
      return event.run(input);
    };
    await expect(fuzz({ ...event, run }, options)).rejects.toThrow(
      /ms of CPU time for \d+ bytes; expected at most 100/,
    );
  });
});
