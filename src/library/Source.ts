/** `Source` of the library: the contract, and the short way to make one. */
export { type Mapping, mappedSource as mapped } from "#engine/mappedSource"
export * from "#engine/Source"
export { type ReadContext, type SimpleSource, simple } from "./simpleSource.ts"
