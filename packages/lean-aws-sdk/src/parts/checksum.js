/** Replaces `@smithy/core/checksum`: Node's hashes, without the same in JavaScript for other platforms. */
import { createHash, createHmac, createSecretKey } from 'node:crypto';

/** Node takes a text or a key object faster than bytes. */
const keyOf = (secret) => (typeof secret === 'string' ? secret : createSecretKey(secret));

const hashOf = (algorithm) =>
  class {
    constructor(secret) {
      this.hash = secret === undefined ? createHash(algorithm) : createHmac(algorithm, keyOf(secret));
    }
    update(data) {
      this.hash.update(data);
    }
    async digest() {
      return this.hash.digest();
    }
  };

export const Sha256 = hashOf('sha256');
export const Md5 = hashOf('md5');
