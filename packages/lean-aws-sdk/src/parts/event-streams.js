// Replaces `@smithy/core/event-streams`, which none of these services has: the SDK loads it with `import()`,
// and esbuild cannot tree-shake such a module.
export const [EventStreamSerde, eventStreamSerdeProvider] = [];
