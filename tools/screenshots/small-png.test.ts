import { inflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { encode } from './small-png.ts';

/** The bytes of a chunk of a PNG file. */
function chunkOf(png: Buffer, type: string): Buffer {
  const at = png.indexOf(type);
  return png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4));
}

it('a small picture is a PNG whose pixels are numbers of its palette', () => {
  const [white, red, blue] = [
    [255, 255, 255, 255],
    [200, 0, 0, 255],
    [0, 0, 200, 255],
  ];
  const png = encode(3, 2, Buffer.from([white, white, red, blue, white, red].flat().map(Number)));
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect([...chunkOf(png, 'IHDR')]).toEqual([0, 0, 0, 3, 0, 0, 0, 2, 8, 3, 0, 0, 0]);
  expect([...chunkOf(png, 'PLTE')]).toEqual([255, 255, 255, 200, 0, 0, 0, 0, 200]);
  expect([...inflateSync(chunkOf(png, 'IDAT'))]).toEqual([0, 0, 0, 1, 0, 2, 0, 1]);
});

it('a colour beyond the 128 most frequent ones becomes the nearest of them', () => {
  // 128 greys twice, and once a grey with a little red.
  const greys = Array.from({ length: 128 }, (_, grey) => [grey, grey, grey, 255]).flat();
  const png = encode(257, 1, Buffer.from([...greys, ...greys, 101, 100, 100, 255]));
  const pixels = inflateSync(chunkOf(png, 'IDAT'));
  const index = pixels[pixels.length - 1] ?? 0;
  expect([...chunkOf(png, 'PLTE').subarray(index * 3, index * 3 + 3)]).toEqual([100, 100, 100]);
});
