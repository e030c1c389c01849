/** JSON as suites write it. */
export type Json = string | number | boolean | null | ReadonlyArray<Json> | JsonObject
export type JsonObject = { readonly [name: string]: Json }

export const isObject = (json: Json | undefined): json is JsonObject =>
  typeof json === "object" && json !== null && !Array.isArray(json)

/** One value is a list of one. */
export const list = (json: Json): ReadonlyArray<Json> => (Array.isArray(json) ? json : [json])
