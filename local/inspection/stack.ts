import { type CreatedStack, type Endpoints, region } from '@payhooks/cdk-local';

/** What `GET /stack` answers: whatever a tool needs to find the parts of this stack, and no key. */
export interface StackView {
  readonly stack: string;
  /** Outputs of the template, as far as this machine has something for them. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly endpoints: Endpoints;
  readonly region: string;
  /** The base address of the payment service's simulator. */
  readonly service_url: string;
}

export function stackView({ model, endpoints }: CreatedStack, serviceUrl: string): StackView {
  return { stack: model.stackName, outputs: model.outputs, endpoints, region, service_url: serviceUrl };
}
