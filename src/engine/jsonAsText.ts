/**
 * JSON columns in the files of a lake are stored as texts, which all readers can read, because some readers take the JSON type
 * of Parquet for bytes. Metadata in the footer say which texts are JSON, and Millrace uses them to read the file.
 */
import * as Footer from "./ParquetFooter.ts"
import * as Thrift from "./Thrift.ts"

/** The footer in which JSON columns are texts. */
export const toTexts = (footer: Footer.Footer): Footer.Footer => {
  const elements = Footer.elementsOf(footer)
  const columnNumbers = elements.flatMap((element, at) => (Thrift.intIn(element, converted) === json ? [at] : []))
  if (columnNumbers.length === 0) return footer
  const texts = elements.map((element, at) => (columnNumbers.includes(at) ? withType(element, utf8) : element))
  return Footer.describe(withSchema(footer, texts), { [word]: columnNumbers.join(",") })
}

/** The footer before `toTexts`. */
export const fromTexts = (footer: Footer.Footer): Footer.Footer => {
  const numbersText = Footer.wordOf(footer, word)
  if (numbersText === undefined) return footer
  const columnNumbers = new Set(numbersText.split(",").map(Number))
  const elements = Footer.elementsOf(footer)
  return withSchema(
    footer,
    elements.map((element, at) => (columnNumbers.has(at) ? withType(element, json) : element))
  )
}

/** Whether a file has JSON columns that are stored as texts. */
export const hasJson = (footer: Footer.Footer): boolean => Footer.wordOf(footer, word) !== undefined

const withType = (element: Thrift.Struct, to: number): Thrift.Struct => {
  const fields = new Map(element).set(converted, Thrift.int(to))
  if (to === json) fields.set(logical, Thrift.structOf([[logicalJson, Thrift.structOf([])]]))
  else fields.delete(logical)
  return new Map([...fields].sort(([a], [b]) => a - b))
}

const withSchema = (footer: Footer.Footer, elements: ReadonlyArray<Thrift.Struct>): Footer.Footer => ({
  ...footer,
  fields: new Map([...footer.fields, [schema, Thrift.structs(elements)] as const].sort(([a], [b]) => a - b))
})

const word = "millrace.json"
const [schema, converted, logical] = [2, 6, 10]
const [utf8, json, logicalJson] = [0, 19, 12]
