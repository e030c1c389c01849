/** What stands for a part where one value is wanted: its name, its value, its address. */
import type { Thing, Value } from "../Candidates.ts"

export const representatives = (thing: Thing): ReadonlyArray<{ readonly name: string; readonly value: Value }> => {
  const found: Array<{ readonly name: string; readonly value: Value }> = []
  const isValue = thing.types.includes("PropertyValue")
  for (const name of [
    ...(isValue ? ["value"] : []),
    "name",
    "value",
    "text",
    "title",
    "headline",
    "legalName",
    "ratingValue",
    "address",
    "streetAddress"
  ]) {
    const said = thing.properties.find((property) => property.name === name)?.value
    if (said === undefined) continue
    if (said._tag === "Value") found.push({ name, value: said })
    else found.push(...representatives(said).slice(0, 1))
    if (found.length > 0) break
  }
  for (const name of ["url", "contentUrl", "@id"]) {
    const said = thing.properties.find((property) => property.name === name)?.value
    if (said?._tag !== "Value") continue
    found.push({ name: "url", value: said })
    break
  }
  return found
}
