import { type Bench, startBench } from './bench.ts';
import type { Settings } from './bites.ts';
import { measureHotOrder } from './hot-order.ts';
import { measureScenarios } from './scenarios.ts';
import { readInventory } from './stack-inventory.ts';

/** All that the tables of the documents are made from. */
export type Measurement = Awaited<ReturnType<typeof measureAll>>;

/** Runs everything once, in some seconds. */
export async function measureAll() {
  const bench = await startBench();
  try {
    return {
      scenarios: await measureScenarios(bench),
      inventory: readInventory(bench.template),
      settings: settingsOf(bench),
      hotOrder: await measureHotOrder(bench),
    };
  } finally {
    await bench.stop();
  }
}

interface Stage {
  readonly Type: string;
  readonly Properties: {
    readonly DefaultRouteSettings: {
      readonly ThrottlingRateLimit: number;
      readonly ThrottlingBurstLimit: number;
    };
  };
}

/** The webhook API is the one that takes more. */
function settingsOf({ template, model }: Bench): Settings {
  const { Resources } = template as { readonly Resources: Readonly<Record<string, Stage>> };
  const throttles = Object.values(Resources)
    .filter(({ Type }) => Type === 'AWS::ApiGatewayV2::Stage')
    .map(({ Properties }) => Properties.DefaultRouteSettings);
  return {
    webhookRequestsPerSecond: Math.max(...throttles.map(({ ThrottlingRateLimit }) => ThrottlingRateLimit)),
    webhookBurst: Math.max(...throttles.map(({ ThrottlingBurstLimit }) => ThrottlingBurstLimit)),
    consumerConcurrencyMax: model.mappings[0]?.concurrencyMax ?? 0,
  };
}
