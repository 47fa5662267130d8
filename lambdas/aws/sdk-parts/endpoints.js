/**
 * Replaces the SDK's rules, 15 KB with its lists of regions, by what they decide for the services of a stage.
 * Not by `AWS_USE_DUALSTACK_ENDPOINT`: functions outside a VPC have IPv4.
 */

/** The ends of host names by the beginning of a region. */
const domains = {
  'cn-': 'amazonaws.com.cn',
  'eusc-': 'amazonaws.eu',
  'us-iso-': 'c2s.ic.gov',
  'us-isob-': 'sc2s.sgov.gov',
  'eu-isoe-': 'cloud.adc-e.uk',
  'us-isof-': 'csp.hci.ic.gov',
  '': 'amazonaws.com',
};

/** The address of a service: the one that is configured, or else that of its region. */
export async function endpointOf({ id, prefix, isFipsInGovernment }, config) {
  const configured = config.endpoint ?? endpointOfEnvironment(id);
  if (configured) return configured;
  const region = await config.region();
  if (!region) throw new Error('AWS_REGION is not in the environment; Lambda sets it.');
  const isFips = config.useFipsEndpoint ?? process.env.AWS_USE_FIPS_ENDPOINT === 'true';
  // There, the usual host of these services is the one with FIPS.
  const isUsual = isFipsInGovernment && region.startsWith('us-gov-');
  const host = isFips && !isUsual ? `${prefix}-fips` : prefix;
  const [, domain] = Object.entries(domains).find(([start]) => region.startsWith(start));
  return `https://${host}.${region}.${domain}`;
}

function endpointOfEnvironment(id) {
  const { env } = process;
  if (env.AWS_IGNORE_CONFIGURED_ENDPOINT_URLS === 'true') return undefined;
  return env[`AWS_ENDPOINT_URL_${id.replaceAll(' ', '_').toUpperCase()}`] || env.AWS_ENDPOINT_URL;
}
