/** For vitest tests of other packages: servers that stop with the test. */
export * from './client/service.ts';
export * from './simulator/running-simulator.ts';
