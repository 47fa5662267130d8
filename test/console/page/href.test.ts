import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { StackInfo } from '../../../console/contract.ts';
import { href, idOf, isWellEncoded, startCommand } from '../../../console/page/data/href.ts';

const special = fc.constantFrom('.', '~', '/', '\\', '%', '2', 'F', '?', '#', '+', ' ', '\u202e', '😀');
const ids = fc.oneof(
  fc.string({ unit: special, minLength: 1, maxLength: 6 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 255 }),
);

it.each([
  ['order', (id: string) => href.order(id, 'live')],
  ['event', (id: string) => href.event(id, 'sandbox')],
  ['transaction', (id: string) => href.transaction(id, 'live')],
])('the address of any %s leads to the same id after a reload, hence to no other one', (_, addressOf) => {
  fc.assert(
    fc.property(ids, (id) => {
      const { pathname } = new URL(addressOf(id), 'http://127.0.0.1:4805');
      expect(isWellEncoded(pathname)).toBe(true);
      const [empty, console, kind, part = '', ...more] = pathname.split('/').map(decodeURIComponent);
      expect([empty, console, kind, idOf(part), more]).toEqual(['', 'console', expect.any(String), id, []]);
    }),
  );
});

it.each([
  ['local', '4800', 'npm start'],
  ['local', '4900', 'npm start -- --port 4900'],
  ['aws', '4805', 'npx payhooks console --stack payhooks-shop'],
  ['aws', '4900', 'npx payhooks console --stack payhooks-shop --port 4900'],
] as const)('the server of a page about %s at port %s is started again with: %s', (kind, port, command) => {
  const option = { stack_option: '--stack payhooks-shop' };
  expect(startCommand({ kind, ...option } as StackInfo, port)).toBe(command);
});
