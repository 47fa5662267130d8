import { createServer, request as send } from 'node:http';
import type { Socket } from 'node:net';
import { closeServer, listen } from '@payhooks/cdk-local/loopback';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createAccess } from '../../console/server/admission.ts';
import { isOfOtherUser, ownerOf } from '../../console/server/peer.ts';
import { startConsole } from '../doubles/console.ts';

/** As Linux shows it: a listener, a browser of user 1000, its server, one that has closed, and one over IPv6. */
const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:12C5 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 4522896 1 0 100 0 0
   1: 0100007F:C350 0100007F:12C5 01 00000000:00000000 02:000A0000 00000000  1000        0 4555825 2 0 20 4 30
   2: 0100007F:12C5 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1001        0 4555826 1 0 20 4 30
   3: 0100007F:C351 0100007F:12C5 05 00000000:00000000 03:00000E10 00000000     0        0 0 3 0
   4: 0200007F:C350 0100007F:12C5 01 00000000:00000000 02:000A0000 00000000  1002        0 4555827 2 0 20 4 30
   0: 0000000000000000FFFF00000100007F:C352 0000000000000000FFFF00000100007F:12C5 01 00000000:00000000 \
00:00000000 00000000  1003        0 4555828 1 0 20 4 30
`;

const server = { localAddress: '127.0.0.1', localPort: 4805 };

describe('the owner of a connection', () => {
  it.each([
    ['127.0.0.1', 50_000, 1000],
    ['127.0.0.2', 50_000, 1002],
    ['127.0.0.1', 50_002, 1003],
    ['127.0.0.1', 50_003, undefined],
    // Once its program has closed it, a socket looks like one of root.
    ['127.0.0.1', 50_001, undefined],
  ])('of %s:%i is the user of the socket at that end: %s', (remoteAddress, remotePort, owner) => {
    expect(ownerOf({ ...server, remoteAddress, remotePort }, table)).toBe(owner);
  });
});

describe('a connection on this machine', () => {
  /** What the console makes of a connection of this process when it takes itself for another user. */
  async function isForeignTo(own: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const listener = createServer((request, response) => {
      const getuid = vi.spyOn(process, 'getuid').mockReturnValue(own);
      resolve(isOfOtherUser(request.socket));
      getuid.mockRestore();
      response.end();
    });
    onTestFinished(() => closeServer(listener));
    send(await listen(listener, { host: '127.0.0.1', port: 0 })).end();
    return promise;
  }

  it('is foreign to another user, as far as the system knows who opened it', async () => {
    const tellsOwner = process.platform === 'linux' && process.getuid?.() !== 0;
    expect(await isForeignTo(4_000_000)).toBe(tellsOwner);
  });
});

describe('the table of connections', () => {
  const socket = { ...server, remoteAddress: '127.0.0.1', remotePort: 50_002 } as Socket;
  const failing = (code: string) => () => {
    throw Object.assign(new Error(code), { code });
  };
  /** Only Linux has one, and the console of root does not look at it. */
  function look(read: () => string): unknown {
    vi.spyOn(process, 'platform', 'get').mockReturnValue('linux');
    vi.spyOn(process, 'getuid').mockReturnValue(1000);
    return isOfOtherUser(socket, read);
  }

  it('refuses another user, and a socket that is not in it', () => {
    expect(look(() => table)).toBe(true);
    expect(look(() => '')).toBe(true);
  });

  it('admits those who have the key where the system hides it', () => {
    expect(look(failing('EACCES'))).toBe(false);
  });

  it('admits nobody while the process can open no more files, which another user can cause', () => {
    expect(() => look(failing('EMFILE'))).toThrow('EMFILE');
  });
});

describe('the console of a deployed stack', () => {
  const key = 'k'.repeat(43);

  it('refuses another user who has its key, and spends no one-time key on that', async () => {
    let isForeign = true;
    const access = createAccess({ key, command: 'c', isForeign: (_: Socket) => isForeign });
    const { raw } = await startConsole({ access });
    const oneTimeKey = access.createOneTimeKey();
    expect((await raw(`/?key=${oneTimeKey}`, {})).status).toBe(403);
    const cookie = `payhooks_console=${key}`;
    expect((await raw('/console/api/stack', { cookie })).status).toBe(403);
    isForeign = false;
    expect((await raw('/console/api/stack', { cookie })).status).toBe(200);
    expect((await raw(`/?key=${oneTimeKey}`, {})).status).toBe(303);
  });
});
