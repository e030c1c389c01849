import * as Schema from "effect/Schema"

/** Lets an object pass that has one of these keys, and no second. The JSON Schema of pipeline files has no word for it. */
export const exactlyOne = (noun: string, kinds: ReadonlyArray<string>) =>
  Schema.makeFilter(
    (value: object) => {
      const said = kinds.filter((kind) => kind in value)
      return (
        said.length === 1 || `a ${noun} is one of ${kinds.join(", ")}; this one has ${said.join(" and ") || "none"}`
      )
    },
    { toJsonSchema: () => ({}) }
  )
