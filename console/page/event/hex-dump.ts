const bytesPerLine = 16;

/** `00000010  6e 6f 74 20 …  not JSON at all`: the place, the bytes, and those that are printable ASCII. */
export function hexDump(bytes: Uint8Array, bytesMax: number): string {
  const lines: string[] = [];
  for (let start = 0; start < Math.min(bytes.length, bytesMax); start += bytesPerLine) {
    const row = [...bytes.subarray(start, Math.min(start + bytesPerLine, bytesMax))];
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const text = row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${start.toString(16).padStart(8, '0')}  ${hex.padEnd(bytesPerLine * 3 - 1)}  ${text}`);
  }
  return lines.join('\n');
}
