/**
 * What a page says under labels, and what that says of values that have no name or only a class: "680 zł" beside "Czynsz" is
 * that, and no price of the page; `class="sku"` with "Art.-Nr.: 12" in it is "12".
 */
import type { Property, Value } from "../Candidates.ts"
import * as Names from "./Names.ts"

export class Labelled {
  /** Those of lines and of pairs of elements. */
  readonly inLines: ReadonlyArray<Property>
  private readonly values: ReadonlyArray<Value>

  constructor(properties: ReadonlyArray<Property>) {
    this.inLines = properties.filter(({ value }) => value._tag === "Value" && value.source.kind === "label")
    this.values = properties.flatMap(({ value }) =>
      value._tag === "Value" && /^(?:label|definition|table)$/.test(value.source.kind) ? [value] : []
    )
  }

  /** The value without a label in it; undefined where it has no name, and a label says it. */
  without(name: string, value: Value): Value | undefined {
    const { kind } = value.source
    if (kind !== "block" && (kind !== "text" || name !== "price")) return value
    const concept = kind === "block" ? Names.conceptOf(Names.parse(name))?.id : undefined
    if (concept === undefined) return this.isSaid(value) ? undefined : value
    return texts.has(concept) ? value : this.behind(value)
  }

  private isSaid({ data, source: { span } }: Value): boolean {
    const most = String(data).length + maxMore
    return this.values.some(
      ({ data: own, source }) => source.span[0] <= span[0] && source.span[1] >= span[1] && String(own).length <= most
    )
  }

  /** A label of a known name is one; "Dune: Part Two" begins with none. */
  private behind(value: Value): Value {
    const { data, source } = value
    if (typeof data !== "string" || !/[:：]/.test(data)) return value
    for (const { name, value: own } of this.inLines) {
      if (own._tag !== "Value" || own.source.span[0] < source.span[0] || own.source.span[1] > source.span[1]) continue
      const isAll =
        data.startsWith(name) && data.endsWith(String(own.data)) && /^[:：]/.test(data.slice(name.length).trim())
      if (isAll && Names.conceptOf(Names.parse(name)) !== undefined)
        return { ...own, source: { ...own.source, kind: "block" } }
    }
    return value
  }
}

/** A point or a star may stand beside it. */
const maxMore = 3
/** What may have a colon of its own. */
const texts: ReadonlySet<string> = new Set(["title", "body", "description"])
