import { ApiGatewayV2Client, GetRoutesCommand, GetStageCommand } from '@aws-sdk/client-apigatewayv2';
import { awsClientOptions } from '../aws/client-options.ts';
import { type Deployed, type DeployedResource, ofType, textIn } from '../aws/deployed-resources.ts';
import { absentAt } from '../aws/errors.ts';
import { counted } from '../check-result.ts';
import { revertDriftOf } from '../stack/stack.ts';
import type { Fault, Safeguard } from './safeguard.ts';

/** That each API is there, records who calls it, and lets in nobody without a signature of IAM. */
export const apis: Safeguard = {
  name: 'APIs',
  async inspect(deployed) {
    const client = new ApiGatewayV2Client(awsClientOptions);
    const stages = ofType(deployed, 'AWS::ApiGatewayV2::Stage');
    const faults = await Promise.all(stages.map((stage) => faultsOf(client, deployed, stage)));
    return {
      holds: `${counted(stages.length, 'API')}: there, with access log and authorisation`,
      faults: faults.flat(),
    };
  },
};

const routesMax = '500';

async function faultsOf(
  client: ApiGatewayV2Client,
  deployed: Deployed,
  { logicalId, properties }: DeployedResource,
): Promise<Fault[]> {
  const fix = revertDriftOf(deployed.stack);
  const ApiId = textIn(deployed, properties['ApiId']) ?? '';
  const StageName = `${properties['StageName']}`;
  // The physical id of an API does not show which one it is.
  const what = `the API ${ApiId} (${logicalId})`;
  const stage = await client
    .send(new GetStageCommand({ ApiId, StageName }))
    .catch(absentAt('NotFoundException'));
  if (stage === undefined) return [{ message: `${what} or its stage was deleted`, fix }];
  const { DestinationArn, Format } = (properties['AccessLogSettings'] ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const { AccessLogSettings: found } = stage;
  const faults: Fault[] = [];
  // API Gateway may leave out the end of the ARN.
  const logOf = (arn: string | undefined) => arn?.replace(/:\*$/, '');
  if (logOf(found?.DestinationArn) !== logOf(textIn(deployed, DestinationArn)) || found?.Format !== Format) {
    faults.push({ message: `${what} has no access log, or another one`, fix });
  }
  const { Items = [] } = await client.send(new GetRoutesCommand({ ApiId, MaxResults: routesMax }));
  const wanted = ofType(deployed, 'AWS::ApiGatewayV2::Route').filter(
    (route) => textIn(deployed, route.properties['ApiId']) === ApiId,
  );
  for (const { RouteKey = '', AuthorizationType } of Items) {
    const route = wanted.find((one) => one.properties['RouteKey'] === RouteKey);
    if (route?.properties['AuthorizationType'] !== AuthorizationType) {
      const state = route === undefined ? 'was not deployed' : `has the authorisation ${AuthorizationType}`;
      faults.push({ message: `the route ${RouteKey} of ${what} ${state}`, fix });
    }
  }
  return faults;
}
