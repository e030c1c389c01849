/** Facts that a model gave for single pages, and that no page says: what another page says is not among them. */
import type { Unsupported } from "#contract/Extract"
import { isList, isSchema, type Json } from "#contract/JsonSchema"
import { identity, type MergedPage } from "./Part.ts"

/** `data` is what all pages say together. */
export const unsupportedOf = (pages: ReadonlyArray<MergedPage>, data: Json): ReadonlyArray<Unsupported> => {
  const values = new Set<string>()
  const collect = (value: Json): void => {
    if (isList(value)) value.forEach(collect)
    else if (isSchema(value)) Object.values(value).forEach(collect)
    else if (value !== null) values.add(identity(value))
  }
  collect(data)
  return pages.flatMap(({ extracted: { unsupported = [] }, url }) =>
    unsupported.flatMap((one) => (values.has(identity(one.value)) ? [] : [{ ...one, url }]))
  )
}
