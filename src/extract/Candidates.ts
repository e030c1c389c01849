/**
 * What a page offers to fill a schema with: things that have named values, and lists of such things.
 *
 * Every value is on the page as written and has its place (`Source`). A reader (`read/`) offers values and never
 * decides; the matcher decides and never invents a value. Each reader limits numbers and lengths.
 */
import type { Certainty, Considered, Unsupported } from "#contract/Extract"
import type { Json } from "#contract/JsonSchema"
import type * as SchemaFiller from "#web/SchemaFiller"

/** How a value was found: an answer that is data, data that a page declares, in the order of trust, then what it shows; last, by a model. */
export const kinds = [
  "data",
  "json-ld",
  "microdata",
  "rdfa",
  "microformats",
  "opengraph",
  "meta",
  "table",
  "definition",
  "label",
  "block",
  "heading",
  "link",
  "text",
  "model"
] as const
export type Kind = (typeof kinds)[number]

/** Where on a page a value stands. */
export interface Source {
  readonly kind: Kind
  /**
   * The way to it. Declared data: type and properties, "Product/offers/price". What is shown: the elements from the
   * nearest one with an id or from the body, "#specs > tr[3] > td[2]". An answer that is data: a JSON pointer, or names.
   * A PDF: its page and the box there, as a fragment of its address.
   */
  readonly path: string
  /** Characters of the HTML as decoded: the element, the attribute's tag or the script that it stands in. */
  readonly span: readonly [from: number, to: number]
  /** Of a value that was chosen: how sure it is. */
  readonly certainty?: Certainty
  /** Of a model's value: whether the page says it. */
  readonly supported?: boolean
  /** Of a model's value: it is a judgement, such as a category or a summary, and not copied. */
  readonly inferred?: boolean
}

/** One value as written: `data` is text, or a number or boolean where JSON said so. */
export interface Value {
  readonly _tag: "Value"
  readonly data: string | number | boolean
  readonly source: Source
  /** What the value links to, where it is the text of a link. Absolute. */
  readonly href?: string
  /** Whether it is a number in brackets among numbers without them: "(12)" is 12 less than nothing. */
  readonly isLess?: boolean
}

/** A thing with named values: an item of declared data, a row of a table, a block that repeats, the page itself. */
export interface Thing {
  readonly _tag: "Thing"
  /** Short names, "Product"; none for rows and blocks. */
  readonly types: ReadonlyArray<string>
  readonly id?: string
  readonly source: Source
  /** In the order of the page. A name may come several times, and a name may be a label in words. */
  readonly properties: ReadonlyArray<Property>
}

export interface Property {
  readonly name: string
  readonly value: Value | Thing
}

/** Things of one shape in the order of the page: rows of a table, cards of a list, items of one type. */
export interface Group {
  readonly source: Source
  readonly things: ReadonlyArray<Thing>
  /** What the list is called: the caption or the heading above it. */
  readonly name?: string
  /** Whether each is a part of the page that has labels of the page's own: what they say, they do not say of the page. */
  readonly areParts?: boolean
}

export interface Candidates {
  /** Declared things that are not part of another. */
  readonly things: ReadonlyArray<Thing>
  readonly groups: ReadonlyArray<Group>
  /** The only card of the page, as a list of one thing. */
  readonly lone?: ReadonlyArray<Group>
  /** What the page says of itself: meta, headings, labelled values, dates, prices, addresses, people. */
  readonly page: Thing
  /** Whether the page says more than is read of a page. */
  readonly isCut: boolean
  /** Whether a list is read that is hidden until a script shows it. */
  readonly hasHiddenList?: boolean
  /** The lines in which the page names what it says (`markedLines.ts`). */
  readonly marked?: () => ReadonlyArray<string>
}

/** What came of matching: `data` fits the shape of the schema, with null for what the page does not say. */
export interface Extracted {
  readonly data: Json
  /** Where each value comes from, by its JSON pointer in `data`: "/offers/0/price". */
  readonly sources: ReadonlyMap<string, Source>
  /** JSON pointers of what was asked for and is not on the page. */
  readonly missing: ReadonlyArray<string>
  /** Those of `missing` whose name the page has all the same: it may say them, and was not understood. */
  readonly unclear?: ReadonlyArray<string>
  /** What else was considered for the fields, if that is wanted. */
  readonly considered?: ReadonlyArray<Considered>
  /** Facts of a model that no page says: they are not in `data`. */
  readonly unsupported?: ReadonlyArray<Unsupported>
  /** What the caller should know, as a sentence. */
  readonly warning?: string
}

/** A schema, words, or both. */
export interface Wanted extends SchemaFiller.Wanted {
  /** Whether it is wanted what was considered for each field. */
  readonly showsConsidered?: boolean | undefined
  /** Words that a model gets before the prompt. */
  readonly systemPrompt?: string | undefined
}

/** What is wanted of a page, and what was made of it. */
export interface Filled extends SchemaFiller.Filled, Extracted {
  readonly sources: Extracted["sources"]
  /** What the model read and wrote; 0 without one. */
  readonly tokens: number
}
