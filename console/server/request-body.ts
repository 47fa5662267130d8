import type { IncomingMessage } from 'node:http';
import { ConsoleProblem } from './problem.ts';

/** Acts are a few hundred bytes. */
const bodyBytesMax = 64 * 1024;

/** The value of a JSON body. A form of another site can send no such type without asking first. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json(;|$)/i.test(type)) {
    throw new ConsoleProblem(415, 'The body must be JSON, with the content type application/json.');
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Destroying the request would close the connection before the response is out.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > bodyBytesMax) throw new ConsoleProblem(413, `The body has more than ${bodyBytesMax} bytes.`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (cause) {
    throw new ConsoleProblem(400, 'The body is not valid JSON.', { cause });
  }
}
