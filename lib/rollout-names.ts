/** Predefined configurations of CodeDeploy, by their names there. */
export const rolloutNames = [
  'LambdaCanary10Percent5Minutes',
  'LambdaCanary10Percent15Minutes',
  'LambdaCanary10Percent30Minutes',
  'LambdaLinear10PercentEvery1Minute',
  'LambdaLinear10PercentEvery3Minutes',
] as const;
export type RolloutName = (typeof rolloutNames)[number];
