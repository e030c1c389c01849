/**
 * What the laws about the rows of a run share: pages with links, each row with the id of its run, and runs that are complete or
 * not, in tables of one pipeline or of several.
 */
import * as Effect from "effect/Effect"
import * as Sink from "#engine/Sink"
import * as Table from "#engine/Table"
import { type Bench, commitOf, link, page } from "./SinkBench.ts"
import { links, pages } from "./specimens.ts"

const runColumn = { name: "_run_id", type: { _tag: "VARCHAR" }, nullable: false } as const

/** Pages and links whose rows say which run wrote them. */
export const runPages = Table.extend(pages, [runColumn])
export const runLinks = Table.extend(links, [runColumn])

/** The same, as the engine makes them where several pipelines write them. */
export const sharedPages = shared(runPages)
const sharedLinks = shared(runLinks)

function shared(table: Table.Table): Table.Table {
  const { name } = Sink.pipelineColumn
  return {
    ...Table.extend(table, [Sink.pipelineColumn]),
    key: table.key.length === 0 ? [] : [name, ...table.key],
    ...(table.parent === undefined ? {} : { parent: { ...table.parent, on: { [name]: name, ...table.parent.on } } })
  }
}

export interface Visit {
  readonly run: string
  readonly write: Sink.WriteDisposition
  /** Pages by address, each with the number of its version; or rows of any kind. */
  readonly pages: Readonly<Record<string, number>> | ReadonlyArray<Table.Row>
  /** The places of links, by the address of their page. */
  readonly links?: Readonly<Record<string, ReadonlyArray<number>>>
  /** The addresses of pages that could not be learned. */
  readonly kept?: ReadonlyArray<string>
  /** Whether the run saw everything. Default: true. */
  readonly complete?: boolean
  readonly again?: boolean
  readonly pipeline?: string
  readonly shared?: boolean
  /** When it began, in microseconds. */
  readonly at?: bigint
}

/** A run that writes pages with their links, retains keys, commits and closes. */
export const visit = <R>(bench: Bench<R>, of: Visit) =>
  bench.session(of.run, tablesOf(of), (writer) => write(writer, of), {
    ...(of.pipeline === undefined ? {} : { pipeline: of.pipeline }),
    ...(of.again === undefined ? {} : { again: of.again }),
    ...(of.shared === undefined ? {} : { shared: of.shared })
  })

/** The tables of a visit and how they are written: links are merged where pages are a history. */
export const tablesOf = ({ shared, write }: Pick<Visit, "shared" | "write">): Parameters<Bench<never>["open"]>[1] => {
  const [parents, children] = shared === true ? [sharedPages, sharedLinks] : [runPages, runLinks]
  return write === "scd2"
    ? [[parents, write, ["version"]]]
    : [
        [parents, write],
        [children, write]
      ]
}

const isRows = (pages: Visit["pages"]): pages is ReadonlyArray<Table.Row> => Array.isArray(pages)

/** One commit of a visit. */
export const write = Effect.fnUntraced(function* (writer: Sink.Writer, of: Visit) {
  const { complete = true, pipeline = "suite", run } = of
  const [parents, children] = of.shared === true ? [sharedPages, sharedLinks] : [runPages, runLinks]
  const system = { _run_id: run, ...(of.shared === true ? { _pipeline: Sink.ownerOf(pipeline) } : {}) }
  const rows = isRows(of.pages) ? of.pages : Object.entries(of.pages).map(([url, version]) => page(url, version))
  const points = Object.entries(of.links ?? {}).flatMap(([url, places]) => places.map((at) => link(url, at)))
  const complement = (row: Table.Row): Table.Row => ({ ...row, ...system })
  if (rows.length > 0) yield* writer.write(Table.batch(parents, rows.map(complement)))
  if (points.length > 0) yield* writer.write(Table.batch(children, points.map(complement)))
  if (of.kept !== undefined) {
    yield* writer.retainKeys(
      parents.name,
      of.kept.map((url) => ({ url, ...(of.shared === true ? { _pipeline: Sink.ownerOf(pipeline) } : {}) }))
    )
  }
  const commit = commitOf(run, run)
  return yield* writer.commit({
    ...commit,
    complete,
    run: { ...commit.run, pipeline, startedAt: of.at ?? commit.run.startedAt }
  })
})

/** The pages that are there: "/a 1 run-1", and "p /a 1 run-1" of a shared table. */
export const seenPages = <R>({ rows }: Bench<R>, isShared = false) =>
  Effect.map(rows(isShared ? sharedPages : runPages), (rows) =>
    rows.map((row) => named(row, isShared, `${row["url"]} ${row["version"]} ${row["_run_id"]}`)).toSorted()
  )

/** The links that are there: "/a 1 run-1". */
export const seenLinks = <R>({ rows }: Bench<R>, isShared = false) =>
  Effect.map(rows(isShared ? sharedLinks : runLinks), (rows) =>
    rows.map((row) => named(row, isShared, `${row["page_url"]} ${row["at"]} ${row["_run_id"]}`)).toSorted()
  )

const named = (row: Table.Row, isShared: boolean, text: string): string =>
  isShared ? `${row["_pipeline"]} ${text}` : text
