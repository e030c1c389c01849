/** An answer as a stream of Arrow IPC: a schema, then a batch for each chunk of rows. */
import { Readable, type Writable } from "node:stream"
import { pipeline } from "node:stream/promises"
import * as Arrow from "apache-arrow"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as arrowBatch from "../../columns/arrowBatch.ts"
import { SinkError } from "../../pipeline/Commit.ts"
import type { Answer } from "../../pipeline/Queries.ts"
import type * as Table from "../../pipeline/Table.ts"

export const asArrow = ({ columns, rows }: Answer, out: Writable) => {
  const schema = arrowBatch.schemaOf(columns)
  const written = (some: ReadonlyArray<Table.Row>) =>
    Effect.try({ try: () => arrowBatch.batchOf(schema, columns, some), catch: (cause) => refused(cause) })
  // The schema is written with the first batch, which an answer without rows has too.
  const none: ReadonlyArray<Table.Row> = []
  const batches = Stream.make(none).pipe(Stream.concat(rows), Stream.mapEffect(written))
  return Effect.tryPromise({
    try: () =>
      pipeline(
        Readable.from(Stream.toAsyncIterable(batches)),
        Arrow.RecordBatchStreamWriter.throughNode({ autoDestroy: true }),
        out,
        { end: out !== process.stdout }
      ),
    catch: (cause) => (cause instanceof SinkError ? cause : refused(cause))
  })
}

const refused = (cause: unknown): SinkError =>
  new SinkError({ sink: "arrow", message: `the answer cannot be written: ${String(cause)}`, retryable: false, cause })
