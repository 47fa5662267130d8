import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { checkJson, sentenceOf } from '../../src/json.ts';
import { type Misbehaviour, misbehavioursSchema } from '../../src/simulator/delivery/misbehaviour.ts';
import type { Received } from '../client/service.ts';
import { event, runWithReceiver } from './running-simulator.ts';

async function runMisbehaving(misbehaviour: Misbehaviour, statuses = [202]) {
  const parts = await runWithReceiver(statuses);
  parts.misbehave([misbehaviour]);
  return parts;
}

const idsOf = (received: readonly Received[]) => received.map(({ body }) => JSON.parse(body).id);
const signatureOf = (body = '', key = 'pri_live') => createHmac('sha256', key).update(body).digest('hex');

it('duplicate delivers a notification again, with the same bytes, until it is switched off', async () => {
  const { emit, received, misbehave } = await runMisbehaving({ kind: 'duplicate', copies: 2 });
  const records = await emit(event('e1'));
  expect(new Set(records.map(({ delivery }) => delivery.id)).size).toBe(3);
  expect(new Set(received.map(({ signature, body }) => signature + body)).size).toBe(1);
  misbehave([]);
  await emit(event('e2'));
  expect(idsOf(received)).toEqual(['e1', 'e1', 'e1', 'e2']);
});

it('wrong_key signs the right bytes with a key of another account, for the first attempts', async () => {
  const { emit, received } = await runMisbehaving({ kind: 'wrong_key', attempts: 1 }, [403, 202]);
  await emit(event('e1'));
  const [wrong, right] = received;
  expect(wrong?.body).toBe(right?.body);
  expect(wrong?.signature).toMatch(/^[0-9a-f]{64}$/);
  expect(wrong?.signature).not.toBe(signatureOf(wrong?.body));
  expect(wrong?.signature).not.toBe(signatureOf(wrong?.body, ''));
  expect(right?.signature).toBe(signatureOf(right?.body));
});

it('reserialised_body sends the same JSON in other bytes under the first signature (6)', async () => {
  const { emit, received } = await runMisbehaving({ kind: 'reserialised_body' });
  await emit(event('e1'));
  const [{ body = '', signature } = {}] = received;
  expect(JSON.parse(body)).toEqual(event('e1'));
  expect(body).not.toBe(JSON.stringify(event('e1')));
  expect(signature).toBe(signatureOf(JSON.stringify(event('e1'))));
});

const count = 'a whole number from 1 to 100000';
it.each([
  [[{ kind: 'duplicate', copies: 100_001 }], `$[0].copies is a number; expected ${count}`],
  [[{ kind: 'duplicate', copies: 2, attempts: 2 }], '$[0].attempts is a number; expected no such field'],
  [[{ kind: 'wrong_key', attempts: 0 }], `$[0].attempts is a number; expected ${count}`],
])('a list of misbehaviours is refused with a sentence (%#)', (given, sentence) => {
  const checked = checkJson(misbehavioursSchema, given);
  expect(checked.ok ? 'accepted' : sentenceOf(checked.mismatch)).toContain(sentence);
});
