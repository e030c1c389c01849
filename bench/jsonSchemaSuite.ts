/**
 * How much of the official JSON Schema test suite our tables get right, by keyword.
 *
 *     node bench/jsonSchemaSuite.ts FOLDER [--all]
 *
 * FOLDER holds `tests/draft4`, `tests/draft7` and `tests/draft2020-12`. For every case: is it validated as the suite says;
 * and for every valid instance that is an object: does it become a row whose cells all pass the engine's own check, and
 * is what comes back equal to it. Equal means the same JSON, and for points in time the same microsecond. A table of one
 * column `value` counts as "to JSON", any other as "to columns".
 *
 * Keywords that do not decide about columns are run with --all. What is known to fall short is listed below with its
 * reason, and only of validation; anything else that falls short makes the exit code 1.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Instant from "../src/engine/Instant.ts"
import type { Draft, JsonSchema } from "../src/engine/JsonSchemaDraft.ts"
import * as JsonSchemaRow from "../src/engine/JsonSchemaRow.ts"
import * as JsonSchemaTable from "../src/engine/JsonSchemaTable.ts"
import * as Validator from "../src/engine/JsonSchemaValidator.ts"
import { rowValidator } from "../src/engine/validateRow.ts"
import { jsonOf } from "../test/engine/jsonSchema/jsonOf.ts"

interface Group {
  readonly description: string
  readonly schema: JsonSchema
  readonly tests: ReadonlyArray<{ readonly description: string; readonly data: unknown; readonly valid: boolean }>
}

const drafts: Readonly<Record<string, Draft>> = {
  draft4: "draft-04",
  draft7: "draft-07",
  "draft2020-12": "2020-12"
}

const asked = new Set(
  "type properties items prefixItems additionalItems enum const format required anyOf oneOf allOf ref definitions defs".split(
    " "
  )
)

/** What falls short, by "draft/file/group/case", and why. */
const known: ReadonlyArray<readonly [place: RegExp, reason: string]> = [
  [/^draft2020-12\/format\/.*only an annotation by default$/, "formats are asserted here, in every draft, on purpose"],
  [
    /^draft4\/(definitions\/validate definition|ref\/remote ref)/,
    "the meta-schema of draft 4 stands outside of the schema, and nothing is fetched"
  ],
  [/__proto__ not valid$/, "ajv leaves `__proto__` out; the row is refused by its column instead"],
  [
    /idn-hostname\/.*(zero width non-joiner must pass at every|digit-first label|disallowed code point)/,
    "joiners, Bidi domains and code points are judged by Node's own IDNA (UTS 46), which is more lenient"
  ],
  [/^[^/]+\/refRemote\/|^draft2020-12\/optional\/cross-draft\/|^draft7\/optional\/cross-draft\//, "nothing is fetched"],
  [/^draft2020-12\/(dynamicRef|optional\/dynamicRef|.*\$dynamicRef)/, "ajv's $dynamicRef; a column of it is JSON"],
  [/^draft2020-12\/unevaluated(Items|Properties)\//, "ajv's unevaluated keywords beside contains, if and nested items"],
  [/^draft2020-12\/vocabulary\//, "a meta-schema of one's own is not looked at"],
  [/^draft7\/optional\/content\//, "contentEncoding and contentMediaType are annotations"],
  [/^draft4\/optional\/zeroTerminatedFloats\//, "1.0 and 1 are one number in JavaScript"],
  [/optional\/unknownKeyword\//, "ajv reads an $id wherever it stands"]
]

const [folder = "", flag] = process.argv.slice(2)
if (!existsSync(join(folder, "tests"))) {
  console.error(`${folder === "" ? "no folder" : folder} holds no tests of JSON Schema`)
  process.exit(2)
}

interface Count {
  cases: number
  validated: number
  objects: number
  columns: number
  json: number
}
const nothing = (): Count => ({ cases: 0, validated: 0, objects: 0, columns: 0, json: 0 })

const counts = new Map<string, Count>()
const misjudged = new Map<string, string>()
const lost = new Map<string, string>()

const files = Object.entries(drafts).flatMap(([name, draft]) =>
  ["", "optional", "optional/format"].flatMap((place) => {
    const path = join(folder, "tests", name, place)
    return readdirSync(path)
      .filter((file) => file.endsWith(".json"))
      .map((file) => ({ path: join(path, file), draft, where: join(name, place, basename(file, ".json")) }))
  })
)

const keywordOf = (where: string) => (where.includes("/optional/format/") ? "format" : basename(where))

for (const { path, draft, where } of files) {
  const keyword = keywordOf(where)
  if (!asked.has(keyword) && flag !== "--all") continue
  const count = counts.get(keyword) ?? nothing()
  counts.set(keyword, count)
  // the files of the suite have this form
  const groups = JSON.parse(readFileSync(path, "utf8")) as ReadonlyArray<Group>
  for (const group of groups) await run(group, draft, `${where}/${group.description}`, count)
}

async function run({ schema, tests }: Group, draft: Draft, where: string, count: Count) {
  count.cases += tests.length
  const table = JsonSchemaTable.make({ name: "suite", schema, draft })
  const check = rowValidator(table.table)
  const encode = JsonSchemaRow.encoder(table.layout)
  const decode = jsonOf(table.layout)
  const compiled = await Effect.runPromise(Effect.result(Validator.compile(schema, draft)))
  for (const { description, data, valid } of tests) {
    const name = `${where}/${description}`
    const told = Result.isFailure(compiled) ? compiled.failure.message : compiled.success(data)
    if (Result.isFailure(compiled)) misjudged.set(name, `not compiled: ${compiled.failure.message}`)
    else if ((told === undefined) === valid) count.validated++
    else if (told === undefined) misjudged.set(name, "validated as valid")
    else misjudged.set(name, `validated as invalid: ${typeof told === "string" ? told : told.message}`)

    if (!valid || typeof data !== "object" || data === null || Array.isArray(data)) continue
    count.objects++
    const row = encode(data)
    const wrong = Result.isFailure(row) ? `${row.failure.path}: ${row.failure.message}` : check(row.success)?.message
    if (wrong !== undefined || Result.isFailure(row)) lost.set(name, `no row: ${wrong}`)
    else if (!equal(decode(row.success), data)) lost.set(name, `comes back as ${JSON.stringify(decode(row.success))}`)
    else count[table.layout.spread ? "columns" : "json"]++
  }
}

/** The same JSON; texts that are points in time by their microsecond. */
function equal(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(normal(a), normal(b))
}

function normal(json: unknown): unknown {
  if (typeof json === "string") return Instant.microsOf(json) ?? json
  if (json === 0) return 0
  if (Array.isArray(json)) return json.map(normal)
  if (typeof json !== "object" || json === null) return json
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, normal(value)]))
}

const line = (name: string, { cases, validated, objects, columns, json }: Count) =>
  console.log(
    `${name.padEnd(24)} ${`${validated}/${cases}`.padStart(11)} validated  ${`${columns + json}/${objects}`.padStart(9)} objects ` +
      `read back (${columns} by columns, ${json} by JSON)`
  )
const total = nothing()
for (const [keyword, count] of [...counts].sort(([a], [b]) => a.localeCompare(b))) {
  line(keyword, count)
  for (const key of ["cases", "validated", "objects", "columns", "json"] as const) total[key] += count[key]
}
line("total", total)

const reasonOf = (where: string) => known.find(([place]) => place.test(where))?.[1]
const reasons = Map.groupBy(misjudged, ([where]) => reasonOf(where))
for (const [reason, cases] of reasons) {
  console.log(reason === undefined ? "\nmisjudged, and not known:" : `\nknown: ${reason}`)
  for (const [where, how] of cases) console.log(`  ${where}: ${how}`)
}
if (lost.size > 0) console.log("\nno row, or not read back:")
for (const [where, how] of lost) console.log(`  ${where}: ${how}`)
const unknown = reasons.get(undefined)?.length ?? 0
console.log(
  `\n${misjudged.size - unknown} cases are misjudged as is known, ${unknown} otherwise; ${lost.size} rows are lost`
)
process.exit(unknown + lost.size === 0 ? 0 : 1)
