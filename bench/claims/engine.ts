/**
 * What the engine itself costs: a row through a whole run, beside ways to put rows through Effect; and a document of a page,
 * checked against the contract.
 */
import { join, resolve } from "node:path"
import type { Claim, Contestant, Work } from "../Claim.ts"
import { often } from "../often.ts"

const root = resolve(import.meta.dirname, "../..")
const script = (name: string) => join(root, "bench/contestants/engine", `${name}.ts`)

const way =
  (file: string, count: number) =>
  (name: string, of: string, how: string, share = 1): Contestant => ({
    name,
    how,
    cores: 1,
    count: count * share,
    words: () => [process.execPath, script(file), of, String(count * share)]
  })

const rows = 2_000_000
const plumbing = way("plumbing", rows)
const stream: Work = {
  name: "a row through a run",
  units: "rows",
  count: rows,
  rounds: 9,
  contestants: often(
    [
      plumbing(
        "millrace",
        "run into a count",
        "a whole run into a sink that counts: answers of 10,000 rows, each made durable in the journal, every cell checked against its column, the run's id given to each row, one commit"
      ),
      plumbing("millrace into memory", "run into memory", "the same into the memory sink, which keeps all rows", 0.5),
      plumbing(
        "mapArray",
        "mapArray",
        "`Stream.mapArray`, a chunk of 10,000 at a time, without the other work of a run"
      ),
      plumbing("mapEffect", "mapEffect", "`Stream.mapEffect` with an effect a row, one after the other", 0.5),
      plumbing("mapEffect, 8 at a time", "mapEffect 8", "`Stream.mapEffect` with concurrency 8", 0.1),
      plumbing("traced Effect.fn", "Effect.fn", "a named `Effect.fn` a row", 0.1),
      plumbing("plain loop", "loop", "two nested loops: the least possible work")
    ],
    { millrace: 4, mapEffect: 3, "traced Effect.fn": 2 }
  ),
  targets: [
    {
      says: "at most a tenth of a traced effect for each row: there is one effect for each chunk",
      of: "ns/row",
      against: { contestant: "traced Effect.fn" },
      ratio: { atMost: 1 / 10 }
    },
    {
      says: "a row of a whole run costs no more than an effect that does nothing",
      of: "ns/row",
      against: { contestant: "mapEffect" },
      ratio: { atMost: 1 }
    }
  ]
}

/** Enough that even the fastest way is measured for most of a second. */
const documents = 4_000_000
const decoding = way("decode", documents)
const decode: Work = {
  name: "a document of a page",
  units: "documents",
  count: documents,
  rounds: 9,
  contestants: often(
    [
      decoding(
        "millrace",
        "ours",
        "the reader of the crawl source, which makes a page from a document; schemas are compiled, as in the command line"
      ),
      decoding("Schema, interpreted", "interpreter", "the same reader without the compiler of schemas", 0.1),
      decoding("ajv", "ajv", "ajv 2020 with the JSON Schema that Effect makes from the same contract, compiled once"),
      decoding("by hand", "by hand", "written for these documents: the least possible work")
    ],
    { millrace: 3, ajv: 3 }
  ),
  targets: [
    {
      says: "the compiler of schemas makes it at least 3 times as fast as the interpreter",
      of: "ns/document",
      against: { contestant: "Schema, interpreted" },
      ratio: { atMost: 1 / 3 }
    },
    { says: "at least as fast as ajv", of: "ns/document", against: { contestant: "ajv" }, ratio: { atMost: 1 } }
  ]
}

export const claim: Claim = {
  name: "engine",
  title: "the engine costs little: one effect for each chunk of rows, and compiled schemas",
  works: [stream, decode]
}
