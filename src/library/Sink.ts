/** `Sink` of the library: the contract, the short way to make one, and the way of a SQL database. */

export type { Queries, QueryProvider, QueryRequest, QueryResult } from "#engine/Queries"
export type { Readers } from "#engine/Readers"
export * from "#engine/Sink"
export type { SinkAbility } from "#engine/SinkAbility"
export type { SqlConnection, SqlDialect, SqlRow, SqlValue, UpdateParts } from "#engine/SqlDialect"
export { type SqlSink, sql } from "#engine/sqlSink"
export type { RowError } from "#engine/validateRow"
export type { BatchPlace, CommitName, CommitPlace, JsonRow, PipelineFolder, SimpleSink } from "./SimpleSinkParts.ts"
export { simple } from "./simpleSink.ts"
