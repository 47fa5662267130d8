import { beforeAll, describe, expect, it } from 'vitest';
import { consumerOver } from './doubles/consumer.ts';
import { intercepted, type PortCall } from './doubles/intercepted.ts';
import { sqsEvent } from './doubles/sqs-event.ts';
import { copyOf, stateText } from './doubles/store-states.ts';
import { paidOrders, tenRefunds } from './doubles/ten-records.ts';

type Around = (call: PortCall) => Promise<unknown>;

const never = () => new Promise<never>(() => {});
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** The process ends at one call: it never sees a response again, and makes no further call. */
function crash(at: number, isCarriedOut: boolean): Around {
  let made = 0;
  return async function callUntilCrash({ carryOut }) {
    const call = made++;
    if (call > at || (call === at && !isCarriedOut)) return never();
    const result = await carryOut();
    return call === at ? never() : result;
  };
}

/** One call gets no response, so Lambda ends the invocation when its time is up; the others go on. */
function hang(at: number, carry: (carryOut: PortCall['carryOut']) => unknown): Around {
  let made = 0;
  return async function callUnlessHanging({ carryOut }) {
    if (made++ !== at) return carryOut();
    await carry(carryOut);
    return never();
  };
}

describe.each([undefined, 30])(
  'a batch of ten, with bodies that are kept for %j days,',
  (eventRetentionDays) => {
    let before: Awaited<ReturnType<typeof paidOrders>>;
    let whole: string;
    let calls = 0;
    const consume = (stores: typeof before, around: Around) => {
      const writer = intercepted(stores.writer, around);
      return consumerOver({ writer }, { eventRetentionDays })(sqsEvent(...tenRefunds));
    };
    beforeAll(async () => {
      before = await paidOrders(eventRetentionDays);
      const stores = copyOf(before);
      await consume(stores, ({ carryOut }) => {
        calls += 1;
        return carryOut();
      });
      whole = stateText(stores);
    });

    /** Interrupts a first delivery at each of its calls; the second one is complete. */
    async function interruptEach(around: (at: number) => Around, afterwards = async () => {}) {
      for (let at = 0; at < calls; at += 1) {
        const stores = copyOf(before);
        let isOver = false;
        void consume(stores, around(at)).finally(() => {
          isOver = true;
        });
        await settled();
        expect([at, isOver]).toEqual([at, false]);
        const { batchItemFailures } = await consume(stores, ({ carryOut }) => carryOut());
        await afterwards();
        expect([at, batchItemFailures]).toEqual([at, []]);
        expect([at, stateText(stores) === whole]).toEqual([at, true]);
      }
      expect(calls).toBe(eventRetentionDays === undefined ? 41 : 71);
    }

    it('ends as without a crash, before any of its calls or after it', async () => {
      await interruptEach((at) => crash(at, false));
      await interruptEach((at) => crash(at, true));
    });

    it('ends as without a timeout at any of its calls, carried out or not', async () => {
      await interruptEach((at) => hang(at, () => {}));
      await interruptEach((at) => hang(at, (carryOut) => carryOut()));
    });

    it('ends as without a timeout at any of its calls that is carried out after the next delivery', async () => {
      let carryOutLate: PortCall['carryOut'] = async () => {};
      await interruptEach(
        (at) =>
          hang(at, (carryOut) => {
            carryOutLate = carryOut;
          }),
        async () => void (await carryOutLate()),
      );
    });
  },
);
