/**
 * What values a JSON Schema lets through, as far as columns need to know it.
 *
 * A shape allows at least what its schema allows, never less. So a column that holds every value of the shape holds
 * every valid value. A shape leaves out what it cannot express (`not`, bounds, patterns).
 */

/** Numbers are two kinds here: those without a fraction, and the others. */
type Kind = "null" | "boolean" | "integer" | "fraction" | "string" | "array" | "object"

export interface Shape {
  readonly kinds: ReadonlySet<Kind>
  /** Every text is one of these. */
  readonly format?: "date" | "date-time" | undefined
  /** Every number has at most so many digits behind its point. */
  readonly scale?: number | undefined
  readonly properties: ReadonlyMap<string, Shape>
  readonly required: ReadonlySet<string>
  /** Whether objects may have other properties. */
  readonly open: boolean
  /** Whether the schema says what those others are: then the object is a map, and no struct. */
  readonly map: boolean
  /** What every item of a list is; undefined: anything. */
  readonly items?: Shape | undefined
  /** What a value is, in the words of the schema. */
  readonly description?: string | undefined
}

const kinds: ReadonlyArray<Kind> = ["null", "boolean", "integer", "fraction", "string", "array", "object"]

const of = (some: ReadonlyArray<Kind>): Shape => ({
  kinds: new Set(some),
  properties: new Map(),
  required: new Set(),
  open: true,
  map: false
})

export const any: Shape = of(kinds)
export const never: Shape = of([])

/** The kinds that a name of `type` means. */
export const ofType = (name: unknown): Shape => {
  if (name === "number") return of(["integer", "fraction"])
  return of(kinds.filter((kind) => kind === name && kind !== "fraction"))
}

/** One value, as `enum` and `const` give them. */
export const ofValue = (value: unknown): Shape => {
  if (value === null) return of(["null"])
  if (Array.isArray(value)) return of(["array"])
  if (typeof value === "number") return of([Number.isInteger(value) ? "integer" : "fraction"])
  return of(kinds.filter((kind) => kind === typeof value))
}

/** The same kinds, with nothing known of what is inside. */
export const opaque = ({ description, format, kinds: some, scale }: Shape): Shape => ({
  ...of([...some]),
  format,
  scale,
  description
})

export const has = (shape: Shape, kind: Kind): boolean => shape.kinds.has(kind)

/** What both let through: `allOf`. */
export const meet = (a: Shape, b: Shape): Shape => {
  if (a === any || b === any) return a === any ? b : a
  const properties = new Map<string, Shape>()
  for (const name of new Set([...a.properties.keys(), ...b.properties.keys()])) {
    const [inA, inB] = [property(a, name), property(b, name)]
    if (inA !== undefined && inB !== undefined) properties.set(name, meet(inA, inB))
  }
  return {
    kinds: common(a.kinds, b.kinds),
    format:
      a.format === b.format
        ? a.format
        : a.format === undefined
          ? b.format
          : b.format === undefined
            ? a.format
            : undefined,
    scale: a.scale === undefined || b.scale === undefined ? (a.scale ?? b.scale) : Math.min(a.scale, b.scale),
    properties,
    required: new Set([...a.required, ...b.required]),
    open: a.open && b.open,
    map: a.map || b.map,
    items: a.items === undefined || b.items === undefined ? (a.items ?? b.items) : meet(a.items, b.items),
    description: a.description ?? b.description
  }
}

/** What one of two lets through: `anyOf`. */
export const join = (a: Shape, b: Shape): Shape => {
  const [textA, textB] = [has(a, "string"), has(b, "string")]
  const [numberA, numberB] = [hasNumbers(a), hasNumbers(b)]
  const [listA, listB] = [has(a, "array"), has(b, "array")]
  return {
    ...joinObjects(a, b),
    kinds: new Set([...a.kinds, ...b.kinds]),
    format: textA && textB ? (a.format === b.format ? a.format : undefined) : textA ? a.format : b.format,
    scale: numberA && numberB ? max(a.scale, b.scale) : numberA ? a.scale : b.scale,
    items:
      listA && listB
        ? a.items === undefined || b.items === undefined
          ? undefined
          : join(a.items, b.items)
        : listA
          ? a.items
          : b.items,
    description:
      a.description === undefined || b.description === undefined || a.description === b.description
        ? (a.description ?? b.description)
        : undefined
  }
}

const joinObjects = (a: Shape, b: Shape): Pick<Shape, "properties" | "required" | "open" | "map"> => {
  if (!has(b, "object")) return a
  if (!has(a, "object")) return b
  const names = new Set([...a.properties.keys(), ...b.properties.keys()])
  return {
    properties: new Map([...names].map((name) => [name, join(property(a, name) ?? never, property(b, name) ?? never)])),
    required: common(a.required, b.required),
    open: a.open || b.open,
    map: a.map || b.map
  }
}

/** What a property may be: undefined where it may not be at all. */
const property = (shape: Shape, name: string): Shape | undefined =>
  shape.properties.get(name) ?? (shape.open ? any : undefined)

const common = <A>(a: ReadonlySet<A>, b: ReadonlySet<A>): ReadonlySet<A> => new Set([...a].filter((one) => b.has(one)))

const hasNumbers = (shape: Shape): boolean => has(shape, "integer") || has(shape, "fraction")

const max = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : Math.max(a, b)
