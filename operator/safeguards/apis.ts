import { ApiGatewayV2Client, GetRoutesCommand, GetStageCommand } from '@aws-sdk/client-apigatewayv2';
import { awsClientOptions } from '../aws/client-options.ts';
import { ofType, textIn } from '../aws/deployed-resources.ts';
import { type Fault, type Inspected, safeguard } from './safeguard.ts';

const apiOf = ({ deployed, resource }: Inspected<unknown>): string =>
  textIn(deployed, resource.properties['ApiId']) ?? '';
// The physical id of an API does not show which one it is.
const nameOf = (at: Inspected<unknown>): string => `the API ${apiOf(at)} (${at.resource.logicalId})`;
const routesMax = '500';

/** That each API is there, records who calls it, and lets in nobody without a signature of IAM. */
export const apis = safeguard({
  type: 'AWS::ApiGatewayV2::Stage',
  noun: 'API',
  open: () => new ApiGatewayV2Client(awsClientOptions),
  describe: (at) =>
    at.client.send(
      new GetStageCommand({ ApiId: apiOf(at), StageName: `${at.resource.properties['StageName']}` }),
    ),
  absent: 'NotFoundException',
  deleted: (at) => ({ message: `${nameOf(at)} or its stage was deleted` }),
  async compare({ AccessLogSettings: found }, at) {
    const { client, deployed, resource } = at;
    const [ApiId, what] = [apiOf(at), nameOf(at)];
    const { DestinationArn, Format } = (resource.properties['AccessLogSettings'] ?? {}) as Readonly<
      Record<string, unknown>
    >;
    const faults: Fault[] = [];
    // API Gateway may leave out the end of the ARN.
    const logOf = (arn: string | undefined) => arn?.replace(/:\*$/, '');
    if (
      logOf(found?.DestinationArn) !== logOf(textIn(deployed, DestinationArn)) ||
      found?.Format !== Format
    ) {
      faults.push({ message: `${what} has no access log, or another one` });
    }
    const { Items = [] } = await client.send(new GetRoutesCommand({ ApiId, MaxResults: routesMax }));
    const wanted = ofType(deployed, 'AWS::ApiGatewayV2::Route').filter(
      (route) => textIn(deployed, route.properties['ApiId']) === ApiId,
    );
    for (const { RouteKey = '', AuthorizationType } of Items) {
      const route = wanted.find((one) => one.properties['RouteKey'] === RouteKey);
      if (route?.properties['AuthorizationType'] !== AuthorizationType) {
        const state = route === undefined ? 'was not deployed' : `has the authorisation ${AuthorizationType}`;
        faults.push({ message: `the route ${RouteKey} of ${what} ${state}` });
      }
    }
    return faults;
  },
});
