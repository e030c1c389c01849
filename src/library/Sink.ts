/** `Sink` of the library: the contract, and the short way to make one. */
export * from "../pipeline/Sink.ts"
export type { SinkAbility } from "../pipeline/SinkAbility.ts"
export {
  type BatchPlace,
  type CommitPlace,
  type JsonRow,
  type Place,
  type SimpleSink,
  simple
} from "./simpleSink.ts"
