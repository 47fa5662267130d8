import { crc32, deflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha of every pixel, in base64. */
  readonly rgba: string;
}

/** Chromium decodes its own picture: text, because this folder is compiled without the types of a browser. */
const decode = `async (png) => {
  const response = await fetch('data:image/png;base64,' + png);
  const image = await createImageBitmap(await response.blob());
  const { width, height } = image;
  const canvas = new OffscreenCanvas(width, height).getContext('2d');
  canvas.drawImage(image, 0, 0);
  const { data } = canvas.getImageData(0, 0, width, height);
  return { width, height, rgba: new Uint8Array(data.buffer).toBase64() };
}`;

const coloursMax = 128;
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The picture with its most frequent colours: a third of the size, and the same to the eye. */
export async function smallPng(page: Page, png: Buffer): Promise<Buffer> {
  const pixels = await page.evaluate<Pixels>(`(${decode})(${JSON.stringify(png.toString('base64'))})`);
  return encode(pixels.width, pixels.height, Buffer.from(pixels.rgba, 'base64'));
}

export function encode(width: number, height: number, rgba: Buffer): Buffer {
  const colours = Array.from({ length: width * height }, (_, index) => rgba.readUInt32BE(index * 4) >>> 8);
  const palette = mostFrequent(colours);
  const nearest = createNearest(palette);
  // Each row begins with its filter, which is none.
  const rows = Buffer.alloc(height * (width + 1));
  for (const [index, colour] of colours.entries())
    rows[index + Math.floor(index / width) + 1] = nearest(colour);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits for each pixel: a number of the palette.
  header.set([8, 3, 0, 0, 0], 8);
  const list = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const data = deflateSync(rows, { level: 9, memLevel: 9 });
  return Buffer.concat([
    signature,
    ...[chunk('IHDR', header), chunk('PLTE', list), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))],
  ]);
}

function mostFrequent(colours: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  // Of colours that are as frequent the darker first, so that a second run gives the same bytes.
  const sorted = [...counts].toSorted(([a, many], [b, more]) => more - many || a - b);
  return sorted.slice(0, coloursMax).map(([colour]) => colour);
}

function createNearest(palette: readonly number[]): (colour: number) => number {
  const known = new Map(palette.map((colour, index) => [colour, index]));
  return function nearest(colour) {
    const index = known.get(colour);
    if (index !== undefined) return index;
    const distances = palette.map((one) => distance(one, colour));
    const found = distances.indexOf(Math.min(...distances));
    known.set(colour, found);
    return found;
  };
}

const distance = (a: number, b: number): number =>
  ((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2;

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}
