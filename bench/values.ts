/**
 * How many written prices and dates we read as two libraries' own tests do.
 *
 *     node bench/values.ts FOLDER
 *
 * FOLDER holds `price-parser` and `dateparser`, whose Python tests are read as text. A price is right where amount and
 * currency sign are; a date where all of it is. Misses are named. Of the dates, those count that have a year and stand
 * under English, German, French, Spanish, Italian, Dutch or Portuguese; the others are counted apart.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Instant from "../src/extract/value/Instant.ts"
import * as Price from "../src/extract/value/Price.ts"

const folder = process.argv[2]
if (folder === undefined) {
  console.error("name the folder that holds price-parser and dateparser")
  process.exit(2)
}

interface Case {
  readonly text: string
  readonly wanted: string
  readonly found: string
  readonly group: string
}

const report = (title: string, cases: ReadonlyArray<Case>): void => {
  const wrong = cases.filter(({ wanted, found }) => wanted !== found)
  const share = ((100 * (cases.length - wrong.length)) / cases.length).toFixed(1)
  console.log(`${title}: ${cases.length - wrong.length} of ${cases.length} right, ${share} %`)
  for (const { text, wanted, found, group } of wrong) {
    console.log(`  ${group}: ${JSON.stringify(text)} is ${wanted}, read as ${found}`)
  }
}

/** A literal of Python as a value: text, number, None. */
const literal = (code: string): string | undefined => {
  const text = code.trim()
  if (text === "None" || text === "") return undefined
  const quoted = [...text.matchAll(/(["'])((?:\\.|(?!\1)[^\\])*)\1/gs)]
  if (quoted.length === 0) return text
  return quoted.map(([, quote = '"', inner = ""]) => unescape(inner, quote)).join("")
}

const unescape = (inner: string, quote: string): string =>
  inner
    .replaceAll(/\\x([0-9a-f]{2})|\\u([0-9a-f]{4})/gi, (_, a?: string, b?: string) =>
      String.fromCodePoint(Number.parseInt(a ?? b ?? "20", 16))
    )
    .replaceAll("\\n", "\n")
    .replaceAll("\\t", "\t")
    .replaceAll(`\\${quote}`, quote)

/** The arguments of a call that begins behind its bracket. */
const argumentsOf = (code: string, from: number): { readonly list: ReadonlyArray<string>; readonly end: number } => {
  const list: Array<string> = []
  let depth = 0
  let quote = ""
  let start = from
  for (let i = from; i < code.length; i++) {
    const char = code[i] ?? ""
    if (quote !== "") {
      if (char === "\\") i++
      else if (char === quote) quote = ""
    } else if (char === '"' || char === "'") quote = char
    else if (char === "#") i = code.indexOf("\n", i)
    else if (char === "(" || char === "[" || char === "{") depth++
    else if ((char === ")" || char === "]" || char === "}") && depth > 0) depth--
    else if (char === ")" || (char === "," && depth === 0)) {
      const argument = code
        .slice(start, i)
        .replaceAll(/#[^\n"']*$/gm, "")
        .trim()
      if (argument !== "") list.push(argument)
      start = i + 1
      if (char === ")") return { list, end: i }
    }
  }
  return { list, end: code.length }
}

const prices = (): ReadonlyArray<Case> => {
  const code = readFileSync(join(folder, "price-parser/tests/test_price_parsing.py"), "utf8")
    // What the library itself fails is not a truth, and a separator that the caller names is an option that we do not have.
    .replaceAll(/PRICE_PARSING_(?:EXAMPLES_XFAIL\w*|DECIMAL_SEPARATOR_EXAMPLES) = \[[\s\S]*?\n\]/g, "")
    .replaceAll(/^\s*#.*$/gm, "")
  const cases: Array<Case> = []
  const calls = /\bExample\(/g
  calls.lastIndex = code.indexOf("PRICE_PARSING_EXAMPLES_BUGS_CAUGHT")
  for (let match = calls.exec(code); match !== null; match = calls.exec(code)) {
    const { list } = argumentsOf(code, calls.lastIndex)
    const [hint, text, currency, , amount] = list
      .slice(0, 5)
      .map((one) => literal(one.replace(/^Decimal\((.*)\)$/s, "$1")))
    if (list.length < 5) continue
    const parsed = text === undefined ? undefined : Price.parse(text, hint === undefined ? {} : { hint })
    const bare = hint === undefined ? undefined : Price.parse(`0 ${hint}`)?.mark
    cases.push({
      group: "price",
      text: `${text}${hint === undefined ? "" : ` | ${hint}`}`,
      wanted: `${amount === undefined ? "none" : Number(amount)} ${currency ?? ""}`,
      found: `${parsed?.amount ?? "none"} ${parsed?.mark ?? (parsed === undefined ? bare : undefined) ?? ""}`
    })
  }
  return cases
}

const languages: Readonly<Record<string, string>> = {
  English: "en",
  German: "de",
  French: "fr",
  Spanish: "es",
  Italian: "it",
  Dutch: "nl",
  Portuguese: "pt"
}

const dates = (): ReadonlyArray<Case> => {
  const code = readFileSync(join(folder, "dateparser/tests/test_date_parser.py"), "utf8")
  const cases: Array<Case> = []
  const tests = [...code.matchAll(/@parameterized\.expand\(\n\s*\[([\s\S]*?)\]\n\s*\)\n\s*def (\w+)/g)].filter(
    ([, , name]) =>
      ["test_dates_parsing", "test_dates_parsing_with_normalization", "test_parsing_with_utc_offsets"].includes(
        name ?? ""
      )
  )
  for (const [, body = ""] of tests) {
    let language = "English"
    const calls = /#\s*(\w+) dates|# (\w+)\n|\bparam\(/g
    for (let match = calls.exec(body); match !== null; match = calls.exec(body)) {
      if (!match[0].startsWith("param")) {
        language = match[1] ?? match[2] ?? language
        continue
      }
      const { list } = argumentsOf(body, calls.lastIndex)
      const text = literal(list[0] ?? "") ?? ""
      const wanted = /^datetime\(([\d,\s]+)\)$/
        .exec(list[1] ?? "")?.[1]
        ?.split(",")
        .map(Number)
      if (wanted === undefined || !/\d{4}|\d[./-]\d{1,2}[./-]\d{2}\b|\b\d{1,2} \p{L}+ \d{2}\b/u.test(text)) continue
      const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = wanted
      const iso = new Date(Date.UTC(year, month - 1, day, hour, minute, second)).toISOString().slice(0, 19)
      const found = Instant.parse(text, { language: languages[language] ?? language.slice(0, 2).toLowerCase() })
      cases.push({
        group: language,
        text,
        wanted: iso,
        found: found === undefined ? "none" : new Date(found).toISOString().slice(0, 19)
      })
    }
  }
  return cases
}

report("prices", prices())
const all = dates()
report(
  "dates of seven languages",
  all.filter(({ group }) => languages[group] !== undefined)
)
report(
  "dates of others",
  all.filter(({ group }) => languages[group] === undefined)
)
