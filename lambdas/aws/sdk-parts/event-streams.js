/**
 * Replaces `@smithy/core/event-streams`: no operation of a stage streams events. The SDK loads this codec
 * with `import()`, and esbuild cannot tree-shake anything that such a module imports.
 */
export class EventStreamSerde {
  constructor() {
    throw new Error('The bundles of payhooks cannot stream events: lambdas/aws/sdk-parts/event-streams.js.');
  }
}
export const eventStreamSerdeProvider = undefined;
