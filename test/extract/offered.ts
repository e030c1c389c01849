/** Candidates written by hand: a value for a text, a thing for an object, several of a name for a list. */
import type { Candidates, Group, Kind, Property, Source, Thing } from "#extract/Candidates"

type Written = string | number | boolean | { readonly [name: string]: Written | ReadonlyArray<Written> }
export type Named = { readonly [name: string]: Written | ReadonlyArray<Written> }

let at = 0
const source = (kind: Kind, path: string): Source => ({ kind, path, span: [at, ++at] })

/** `@type` and `@id` are its own. */
export const thing = (named: Named, kind: Kind = "json-ld", path = ""): Thing => {
  const { "@id": id, "@type": type, ...rest } = named
  const own = source(kind, path)
  const properties = Object.entries(rest).flatMap(([name, written]) =>
    (Array.isArray(written) ? written : [written]).map((one: Written): Property => {
      const place = `${path}/${name}`
      if (typeof one === "object") return { name, value: thing(one, kind, place) }
      return { name, value: { _tag: "Value", data: one, source: source(kind, place) } }
    })
  )
  return {
    _tag: "Thing",
    types: typeof type === "string" ? [type] : [],
    source: { ...own, span: [own.span[0], ++at] },
    properties,
    ...(typeof id === "string" ? { id } : {})
  }
}

export const group = (rows: ReadonlyArray<Named>, name?: string, kind: Kind = "table"): Group => {
  const things = rows.map((row) => thing(row, kind))
  const span = [things[0]?.source.span[0] ?? 0, things.at(-1)?.source.span[1] ?? 0] as const
  return { source: { kind, path: "table", span }, things, ...(name === undefined ? {} : { name }) }
}

export const offered = (
  page: Named,
  things: ReadonlyArray<Thing> = [],
  groups: ReadonlyArray<Group> = [],
  kind: Kind = "label"
): Candidates => ({ things, groups, page: thing({ "@id": "http://site.test/page", ...page }, kind), isCut: false })
