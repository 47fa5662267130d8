export type Parameters = Record<string, unknown>;

/** The operations of a service by name, done within the moment of the call. They throw an `AwsError`. */
export type Operations = Readonly<Record<string, (given: Parameters) => object | Promise<object>>>;
