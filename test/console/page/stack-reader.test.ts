import { expect, it, vi } from 'vitest';
import { createStackReader } from '../../../console/page/data/stack-reader.ts';

const { signal } = new AbortController();

it('a server without the id of its console is a stranger to the page, until the console is back', async () => {
  const send = vi.spyOn(globalThis, 'fetch');
  const read = createStackReader('127.0.0.1:4800');
  const from = (console_id: string | undefined) => {
    send.mockResolvedValueOnce(Response.json({ build: 'b', console_id }));
    return read(signal);
  };
  await from('mine');
  for (const other of ['foreign', undefined])
    await expect(from(other)).rejects.toThrow(
      /^Another server responds at this address: .* Close this tab\.$/,
    );
  expect(await from('mine')).toMatchObject({ console_id: 'mine' });
});

it.each([
  [401, 'The console was restarted: open the link that it printed again.'],
  [503, 'The console is starting.'],
])('a page whose server responds %i shows the reason', async (status, reason) => {
  const response = Response.json({ detail: 'The console is starting.' }, { status });
  vi.spyOn(globalThis, 'fetch').mockResolvedValueOnce(response);
  await expect(createStackReader('127.0.0.1:4800')(signal)).rejects.toThrow(reason);
});
