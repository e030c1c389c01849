/** `Source` of the library: the contract, and the short way to make one. */
export { type Mapping, mappedSource as mapped } from "../pipeline/mappedSource.ts"
export * from "../pipeline/Source.ts"
export { type Place, type SimpleSource, simple } from "./simpleSource.ts"
