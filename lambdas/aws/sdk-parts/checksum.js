/** Replaces `@smithy/core/checksum`: Node's hashes, without the same in JavaScript for other platforms. */
import { createHash, createHmac } from 'node:crypto';

class NodeHash {
  constructor(algorithm, secret) {
    this.hash = secret === undefined ? createHash(algorithm) : createHmac(algorithm, secret);
  }
  update(data) {
    this.hash.update(data);
  }
  async digest() {
    return this.hash.digest();
  }
}

export class Sha256 extends NodeHash {
  constructor(secret) {
    super('sha256', secret);
  }
}

export class Md5 extends NodeHash {
  constructor(secret) {
    super('md5', secret);
  }
}
