/** An SDK client, as far as the adapters use it. */
interface Client {
  send(command: never): Promise<unknown>;
}

/**
 * Counts how many calls follow one another, and not how many there are: calls that are under way at one time count
 * as one round. So the rounds of a path are the calls that its time budget has to hold one after the other.
 */
export function createCallClock() {
  let rounds = 0;
  let underWay = 0;
  let waiting: (() => void)[] = [];

  /** Starts the next round once no call is under way and nothing else can start one. */
  function startRound(): void {
    if (underWay > 0 || waiting.length === 0) return;
    rounds += 1;
    const starting = waiting;
    waiting = [];
    for (const start of starting) start();
  }

  function counted<In extends unknown[], Out>(call: (...args: In) => Promise<Out>) {
    return async function waitForRound(...args: In): Promise<Out> {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        setImmediate(startRound);
      });
      underWay += 1;
      try {
        return await call(...args);
      } finally {
        underWay -= 1;
        setImmediate(startRound);
      }
    };
  }

  return {
    counted,
    /** A client whose calls are counted. */
    client: <C extends Client>(client: C): C =>
      Object.assign(Object.create(client), { send: counted(client.send.bind(client)) }) as C,
    rounds: () => rounds,
  };
}
