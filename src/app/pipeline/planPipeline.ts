/**
 * The work behind `millrace plan`: what a run would read and write, without doing either.
 */
import * as Effect from "effect/Effect"
import * as Column from "#engine/Column"
import { writeOf } from "#engine/planOf"
import * as Sink from "#engine/Sink"
import { lackInWords } from "#engine/SinkAbility"
import { engine } from "#library/services"
import { layoutOf, refuseMisplaced, refuseTaken } from "#see/layoutOf"
import { loadPipeline } from "#see/loadPipeline"
import { printableLine } from "#see/printable"

export const planPipeline = Effect.fn("planPipeline")(
  function* (options: {
    readonly file: string
    readonly vars: Readonly<Record<string, string>>
    readonly json: boolean
  }) {
    const loaded = yield* loadPipeline(options.file, options.vars)
    const { file, pipeline } = loaded
    yield* refuseMisplaced(loaded)
    const layout = yield* layoutOf(loaded)
    yield* refuseTaken(loaded, layout)
    const tables = layout.tables.map((table) => ({
      name: table.name,
      description: table.description,
      key: table.key,
      writes: Object.fromEntries(
        Object.entries(pipeline.sinks).map(([name, sink]) => [name, writeOf(sink, layout, table)])
      ),
      columns: table.columns.map(({ name, type, nullable, description }) => ({
        name,
        type: Column.toSql(type),
        nullable,
        ...(description === undefined ? {} : { description })
      }))
    }))
    const service = file.service === "embedded" ? "embedded" : file.service.url
    const lacks = Object.fromEntries(
      Object.entries(pipeline.sinks).flatMap(([name, sink]) => (sink.lacks === undefined ? [] : [[name, sink.lacks]]))
    )
    if (options.json) {
      const { limits, name } = pipeline
      const lacking = Object.keys(lacks).length === 0 ? {} : { lacks }
      process.stdout.write(
        `${JSON.stringify({ pipeline: name, source: file.sourceType, service, limits, ...lacking, tables })}\n`
      )
      return
    }
    const shared = Object.entries(pipeline.sinks).filter(([, sink]) => sink.shared === true)
    const lines = [
      pipeline.source.standsAlone === true
        ? `${pipeline.name}: ${file.sourceType}`
        : `${pipeline.name}: ${file.sourceType} by the ${service === "embedded" ? "embedded service" : `service at ${service}`}`,
      ...Object.entries(pipeline.limits).map(([name, value]) => `  at most ${value} ${name}`),
      ...shared.map(
        ([name]) =>
          `  ${name} is shared: each row and each key has the name of its pipeline in ${Sink.pipelineColumn.name}`
      ),
      ...Object.entries(pipeline.sinks).flatMap(([name, { lacks = [] }]) =>
        lacks.map((ability) => `  ${name}: ${lackInWords(ability)}`)
      ),
      ...tables.flatMap(({ name, description, key, writes, columns }) => [
        `  ${name}: ${description}`,
        `    key: ${key.length === 0 ? "none" : key.join(", ")}`,
        ...Object.entries(writes).map(([sink, write]) => `    ${sink}: ${write}`),
        ...columns.map((column) => {
          const type = `${column.type}${column.nullable ? "" : " NOT NULL"}`
          const line = `    ${printableLine(column.name).padEnd(20)} `
          return column.description === undefined ? line + type : `${line}${type.padEnd(18)} -- ${column.description}`
        })
      ])
    ]
    process.stdout.write(`${lines.map(printableLine).join("\n")}\n`)
  },
  Effect.scoped,
  Effect.provide(engine)
)
