/** Replaces `@smithy/core/protocols`: leaves out its second JSON codec, which writes JSON byte by byte. */
import { JsonCodec } from 'whole-sdk/@smithy/core/dist-es/submodules/protocols/index.js';

export * from 'whole-sdk/@smithy/core/dist-es/submodules/protocols/index.js';
export { JsonCodec as JsonCodec2 };
