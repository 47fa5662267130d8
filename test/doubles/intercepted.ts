/** A call of a port: its name, what it was given, and how to carry it out. */
export interface PortCall {
  readonly name: string;
  readonly given: readonly never[];
  readonly carryOut: () => Promise<unknown>;
}

/** A port whose every call goes through `around`. */
export function intercepted<Port extends object>(
  port: Port,
  around: (call: PortCall) => Promise<unknown>,
): Port {
  const calls = Object.entries(port).map(
    ([name, call]: [string, (...given: never[]) => Promise<unknown>]) => [
      name,
      (...given: never[]) => around({ name, given, carryOut: async () => call(...given) }),
    ],
  );
  return Object.fromEntries(calls) as Port;
}
