/**
 * The public surface of `millrace`: pipelines in TypeScript. The contract, the client, the service and the suites are
 * under `millrace/api`, `millrace/client`, `millrace/service` and `millrace/testing`; connectors under
 * `millrace/connectors/NAME`.
 */
export * as Stages from "./duckdb/Stages.ts"
export * as Journals from "./journal/Journals.ts"
export type { Answer } from "./pipeline/Answer.ts"
export * as Backfill from "./pipeline/backfill/Backfill.ts"
export * as Interval from "./pipeline/backfill/Interval.ts"
export * as Check from "./pipeline/Check.ts"
export * as Checkpoint from "./pipeline/Checkpoint.ts"
export * as Column from "./pipeline/Column.ts"
export * as Connector from "./pipeline/Connector.ts"
export type * as Difference from "./pipeline/Difference.ts"
export * as PipelineFile from "./pipeline/file/PipelineFile.ts"
export { PipelineFileError } from "./pipeline/file/PipelineFileError.ts"
export * as Journal from "./pipeline/Journal.ts"
export * as JsonSchemaTable from "./pipeline/jsonSchema/JsonSchemaTable.ts"
export * as ObjectStore from "./pipeline/ObjectStore.ts"
export { objectStores } from "./pipeline/objectStores.ts"
export * as Pipeline from "./pipeline/Pipeline.ts"
export * as Run from "./pipeline/run/Run.ts"
export * as Sink from "./pipeline/Sink.ts"
export * as Source from "./pipeline/Source.ts"
export * as Stage from "./pipeline/Stage.ts"
export * as Step from "./pipeline/Step.ts"
export * as Table from "./pipeline/Table.ts"
