/**
 * The work behind `millrace init --connector NAME`: writes a folder with a source, a sink, a pipeline that uses both, and their
 * tests. All of it can be run unchanged.
 */
import { existsSync } from "node:fs"
import { mkdir, readdir, writeFile } from "node:fs/promises"
import { basename, join, relative, resolve } from "node:path"
import * as Effect from "effect/Effect"
import { version } from "#contract/version"
import { notWritten, wrong } from "#see/CliFailure"
import { packageFolder } from "#see/packageFolder"

export const initConnector = Effect.fn("initConnector")(function* (folder: string) {
  const name = basename(resolve(folder))
  if (!/^[a-z][a-z0-9_-]{0,39}$/.test(name)) {
    return yield* wrong(
      `the name of the folder in --connector must begin with a lower-case letter and have at most 40 lower-case letters, digits, dashes and underscores, not ${JSON.stringify(name)}`
    )
  }
  const place = resolve(folder)
  const there = yield* Effect.promise(() => readdir(place).catch(() => []))
  if (there.length > 0) return yield* wrong(`${folder} already exists and is not empty; name another folder`)
  yield* Effect.tryPromise({
    try: async () => {
      await mkdir(place, { recursive: true })
      for (const [file, text] of Object.entries(filesOf(name, place))) {
        await writeFile(join(place, file), text, { flag: "wx" })
      }
    },
    catch: (cause) => {
      const { code, path = folder } = faultOf(cause)
      return code === "EEXIST" ? wrong(`${path} already exists; name another folder`) : notWritten(folder, cause)
    }
  })
  const [command, packing] =
    checkout === undefined ? ["millrace", ""] : [`${checkout}/bin/millrace`, `npm pack ${checkout} && `]
  process.stdout.write(
    `wrote ${folder}; now: cd ${folder} && ${command} run pipeline.yaml; for its tests: ${packing}npm install && npm test\n`
  )
})

/** The checkout that this command belongs to, if any. npm has no package of it, so the tests use one that `npm pack` makes. */
const checkout = existsSync(join(packageFolder(), "src")) ? packageFolder() : undefined

const faultOf = (cause: unknown): { readonly code?: unknown; readonly path?: string; readonly message?: string } =>
  cause instanceof Error ? cause : {}

const filesOf = (name: string, place: string): Readonly<Record<string, string>> => ({
  "source.ts": source(name),
  "sink.ts": sink(name),
  "pipeline.yaml": pipeline(name, relative(place, join(packageFolder(), "pipelines", "pipeline.schema.json"))),
  "names.txt": "Ada\nGrace\nEdsger\n",
  "connector.test.ts": test(name),
  "package.json": `${JSON.stringify(manifest(name), null, 2)}\n`
})

const identifier = (name: string): string => name.replaceAll(/[-_]+(.?)/g, (_, next: string) => next.toUpperCase())

const source = (name: string): string => `import { readFile } from "node:fs/promises"
import * as Schema from "effect/Schema"
import { Source } from "millrace"

/** One row for each line of a file. What a row has more or less than \`columns\` is kept as a reject, with the reason. */
export const ${identifier(name)}Source = Source.simple({
  type: "${name}",
  options: Schema.Struct({ path: Schema.String.annotate({ description: "the file" }) }),
  columns: { name: "VARCHAR NOT NULL", length: "BIGINT" },
  rows: async function* ({ path }, { resolve }) {
    for (const name of (await readFile(resolve(path), "utf8")).trim().split("\\n")) yield { name, length: name.length }
  }
})
`

const sink = (name: string): string => `import { appendFile, mkdir, readFile } from "node:fs/promises"
import * as Schema from "effect/Schema"
import { Sink } from "millrace"

/** A folder with a file of JSON lines for each table. \`batch\` prepares rows, and nobody sees them before \`commit\`. */
export const ${identifier(name)}Sink = Sink.simple({
  type: "${name}",
  options: Schema.Struct({ path: Schema.String.annotate({ description: "the folder" }) }),
  batch: (_, { rows, table }) => ({ table: table.name, text: rows.map((row) => JSON.stringify(row) + "\\n").join("") }),
  commit: async ({ path }, { pieces, resolve }) => {
    await mkdir(resolve(path), { recursive: true })
    for (const { table, text } of pieces) await appendFile(resolve(\`\${path}/\${table}.jsonl\`), text)
    return resolve(path)
  },
  read: async ({ path }, { resolve, table }) => {
    const text = await readFile(resolve(\`\${path}/\${table.name}.jsonl\`), "utf8").catch(() => "")
    return text.split("\\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]))
  }
})
`

const pipeline = (
  name: string,
  schema: string
): string => `# yaml-language-server: $schema=${schema.replaceAll("\\", "/")}
connectors: [./source.ts, ./sink.ts]
source: { type: ${name}, path: names.txt }
sinks:
  out: { type: ${name}, path: out }
  warehouse: { type: duckdb, path: ./${name}.duckdb }
`

const test = (name: string): string => `import * as Effect from "effect/Effect"
import { SinkSuite, SourceSuite } from "millrace/testing"
import { ${identifier(name)}Sink } from "./sink.ts"
import { ${identifier(name)}Source } from "./source.ts"

SourceSuite.suite("${name}", {
  continues: false,
  directory: import.meta.dirname,
  reader: Effect.sync(() => ${identifier(name)}Source.with({ path: "names.txt" }))
})

SinkSuite.suite("${name}", { destination: () => ${identifier(name)}Sink.with({ path: "out" }) })
`

const manifest = (name: string) => ({
  name: `millrace-connector-${name}`,
  version: "0.0.0",
  private: true,
  type: "module",
  scripts: { test: "vitest run" },
  dependencies: { effect: "4.1.0", millrace: checkout === undefined ? version : `file:millrace-${version}.tgz` },
  devDependencies: { "@effect/vitest": "4.0.5", vitest: "5.1.1" }
})
