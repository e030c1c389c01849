/** The result of a query as an Arrow IPC stream: a schema, then a batch for each chunk of rows. */
import type { Writable } from "node:stream"
import * as Arrow from "apache-arrow"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as arrowBatch from "#engine/arrowBatch"
import { SinkError } from "#engine/Commit"
import type { QueryResult } from "#engine/Queries"
import type * as Table from "#engine/Table"
import { write } from "./sql/answerText.ts"

export const asArrow = Effect.fnUntraced(function* ({ columns, rows }: QueryResult, out: Writable) {
  const schema = arrowBatch.schemaOf(columns)
  const begun = () => new Arrow.RecordBatchStreamWriter().reset(undefined, schema)
  const head = begun().toUint8Array(true)
  /**
   * The bytes that a writer adds after the schema. Arrow's own way to write a stream ends the process if the stream fails, so
   * a new writer makes each part.
   */
  const added = (add: (writer: Arrow.RecordBatchStreamWriter) => void) => {
    const writer = begun()
    add(writer)
    return writer.toUint8Array(true).subarray(head.length)
  }
  const batch = (some: ReadonlyArray<Table.Row>) =>
    Effect.try({
      try: () => added((writer) => writer.write(arrowBatch.batchOf(schema, columns, some))),
      catch: (cause) => refused(cause)
    })
  yield* write(out, head)
  yield* Stream.runForEach(rows, (some) => Effect.flatMap(batch(some), (bytes) => write(out, bytes)))
  yield* write(
    out,
    added((writer) => writer.close())
  )
})

const refused = (cause: unknown): SinkError =>
  new SinkError({
    sink: "arrow",
    message: `the result cannot be written as Arrow: ${cause instanceof Error ? cause.message : String(cause)}; CAST(column AS VARCHAR) makes any value a text`,
    retryable: false,
    cause
  })
