/** `Sink` of the library: the contract, and the short way to make one. */

export type { Answer, Queries, QueryProvider, QueryRequest } from "../pipeline/Queries.ts"
export type { Readers } from "../pipeline/Readers.ts"
export * from "../pipeline/Sink.ts"
export type { SinkAbility } from "../pipeline/SinkAbility.ts"
export type { RowError } from "../pipeline/validateRow.ts"
export type { BatchPlace, CommitName, CommitPlace, JsonRow, Place, SimpleSink } from "./SimpleSinkParts.ts"
export { simple } from "./simpleSink.ts"
