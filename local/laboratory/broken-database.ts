import { both, type Experiment } from './experiment.ts';
import { seeAllPaid, seeNoneRecorded, sendPayments } from './payments.ts';

const count = 5;

export const brokenDatabase: Experiment = {
  name: 'broken-database',
  group: 'faults',
  disturbs: true,
  title: 'Break the database',
  does: `Lets every write to DynamoDB fail for ten seconds, and sends ${count} payments in that time.`,
  expected: 'All get 2xx, and all are recorded once the database works again.',
  guarantee: 'An acknowledged event waits in the queue and is tried again for hours; no operator is needed.',
  alarm: null,
  async run(bench) {
    const { paid, during } = await bench.withFault(
      {
        title: 'Every write to DynamoDB fails',
        over: 'DynamoDB works again; the queue delivers what waits in it.',
        milliseconds: 10_000,
        begin: async () =>
          bench.pipeline.fail('dynamodb', {
            operations: ['PutItem', 'UpdateItem'],
            status: 500,
            code: 'InternalServerError',
          }),
      },
      async (isOn) => {
        const acknowledged = await sendPayments(bench, { count, everyMilliseconds: 1_500 });
        return { paid: acknowledged, during: await seeNoneRecorded(bench, acknowledged, isOn) };
      },
    );
    return both(during, await seeAllPaid(bench, paid, count));
  },
};
