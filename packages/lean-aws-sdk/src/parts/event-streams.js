/**
 * Replaces `@smithy/core/event-streams`: the SDK loads it with `import()`, and esbuild cannot tree-shake
 * anything that such a module imports.
 */
export class EventStreamSerde {
  constructor() {
    throw new Error('@payhooks/lean-aws-sdk cannot stream events.');
  }
}
export const eventStreamSerdeProvider = undefined;
