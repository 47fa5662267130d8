import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';

/** The ends of a connection on this machine, as its server sees them. */
export interface Ends {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}

/**
 * Whether another user of this machine opened the connection. Linux knows the owner of each socket. Root may
 * connect: port forwarding can run as root, and root reads every file. A console of root checks nothing.
 */
export function isOfOtherUser(socket: Socket, read: ReadFile = readText): boolean {
  const own = process.getuid?.() ?? 0;
  if (own === 0 || process.platform !== 'linux' || endianness() !== 'LE') return false;
  const { remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 } = socket;
  const ends = { remoteAddress, remotePort, localAddress, localPort };
  // The kernel may skip a row while others come and go.
  for (let attempts = 1; attempts <= 3; attempts += 1) {
    const table = readTable(read);
    if (table === undefined) return false;
    const owner = ownerOf(ends, table);
    if (owner !== undefined) return owner !== own && owner !== 0;
  }
  return true;
}

/**
 * The user at the remote end; `undefined` unless it is open: a socket that its program has closed has no
 * owner, which looks like root.
 */
export function ownerOf(ends: Ends, table: string): number | undefined {
  const [remote, local] = [
    hexOf(ends.remoteAddress, ends.remotePort),
    hexOf(ends.localAddress, ends.localPort),
  ];
  // What an IPv6 socket shows of IPv4.
  const prefix = '(?:0000000000000000FFFF0000)?';
  const row = new RegExp(`^ *\\d+: ${prefix}${remote} ${prefix}${local} 01 \\S+ \\S+ \\S+ +(\\d+) `, 'm');
  const [, owner] = row.exec(table) ?? [];
  return owner === undefined ? undefined : Number(owner);
}

/** As the kernel writes them: the address in the byte order of the machine, the port not. */
function hexOf(address: string, port: number): string {
  const bytes = address.split('.').map(Number).reverse();
  return `${Buffer.from(bytes).toString('hex')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
}

/** `undefined` where the system hides it; a machine without IPv6 has only the first part. */
function readTable(read: ReadFile): string | undefined {
  const [ipv4, ipv6 = ''] = ['tcp', 'tcp6'].map((name) => readRows(name, read));
  return ipv4 === undefined ? undefined : ipv4 + ipv6;
}

type ReadFile = (path: string) => string;
const readText: ReadFile = (path) => readFileSync(path, 'latin1');

/** Throws when it could be read at another time: others can use up the files that a process may open. */
function readRows(name: string, read: ReadFile): string | undefined {
  try {
    return read(`/proc/self/net/${name}`);
  } catch (error) {
    if (/^(ENOENT|EACCES|EPERM)$/.test((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
