/** Replaces the SDK's MD5 in JavaScript. */
import { createHash } from 'node:crypto';

export class Md5 {
  hash = createHash('md5');
  update(data) {
    this.hash.update(data);
  }
  async digest() {
    return this.hash.digest();
  }
}
