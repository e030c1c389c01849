/** The public surface of `millrace/testing`: the laws as suites, for authors of connectors. */
export * as CrashSuite from "./CrashSuite.ts"
export { commitForever } from "./commitForever.ts"
export * as faults from "./faults.ts"
export * as ObjectStoreSuite from "./ObjectStoreSuite.ts"
export * as SinkSuite from "./SinkSuite.ts"
export * as SourceSuite from "./SourceSuite.ts"
