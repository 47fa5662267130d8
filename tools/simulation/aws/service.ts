export type Parameters = Record<string, unknown>;

/** The operations of a service by name. They are done within the moment of the call, and throw an `AwsError`. */
export type Operations = Readonly<Record<string, (given: Parameters) => object | Promise<object>>>;
