/** `Sink` of the library: the contract, and the short way to make one. */

export type { Answer, Queries, QueryProvider, QueryRequest } from "#engine/Queries"
export type { Readers } from "#engine/Readers"
export * from "#engine/Sink"
export type { SinkAbility } from "#engine/SinkAbility"
export type { RowError } from "#engine/validateRow"
export type { BatchPlace, CommitName, CommitPlace, JsonRow, Place, SimpleSink } from "./SimpleSinkParts.ts"
export { simple } from "./simpleSink.ts"
