/**
 * Rows into tables: nested pages of 4 KB into zstd Parquet, into DuckDB, into S3, and changed pages into a table of many.
 * What they take as there are more of them is of the claim growth.
 *
 * "rows/CPU s" counts from the first row to the end of the file, with making the rows, which is a contestant of its own
 * for those who want to take it off; of DuckDB's COPY, the wall, only the statement counts, of a table that is in
 * memory.
 */

import { execFileSync, spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import * as Fs from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { Claim, Contestant, Prepared, Work } from "../Claim.ts"
import { startS3 } from "../contestants/rows/s3Server.ts"
import * as Launcher from "../Launcher.ts"
import { often } from "../often.ts"

const root = resolve(import.meta.dirname, "../..")
const script = (name: string) => join(root, "bench/contestants/rows", `${name}.ts`)

/** A script that is given `options`, the count and its folder; DuckDB's is started as ours is, libraries are as they come. */
const contestant = (
  name: string,
  file: string,
  options: ReadonlyArray<string>,
  count: number,
  how: string
): Contestant => ({
  name,
  how,
  count,
  words: (_, folder) => [process.execPath, ...Launcher.flags(), script(file), ...options, String(count), folder],
  env: Launcher.env()
})

const peer = (name: string, file: string, library: string, count: number, how: string): Contestant => ({
  name,
  how,
  count,
  words: (_, folder) => [process.execPath, script(file), String(count), folder],
  slow: true,
  missing: () =>
    existsSync(join(root, "bench/node_modules", library))
      ? undefined
      : `${library} is not installed (npm ci --prefix bench)`
})

const many = 200_000
const some = 50_000
const rate = "rows/CPU s"
const ofSink = "rows in batches of 500 to the writer of the sink, and its commit, with manifest or ledger"

const parquet: Work = {
  name: "to Parquet",
  units: "rows",
  count: many,
  rounds: 7,
  contestants: often(
    [
      contestant("millrace", "sink", ["parquet"], many, `${ofSink}; zstd 1, the default of the sink`),
      contestant(
        "DuckDB COPY",
        "copy",
        ["1"],
        many,
        "`COPY` of a table in memory, one thread, zstd 1, groups of 20,480: rows/CPU s is for the statement only; CPU, time and memory of the process include filling the table"
      ),
      contestant("making the rows alone", "making", [], many, "a part of the figures of all others, except COPY")
    ],
    { "making the rows alone": 4 }
  ),
  targets: [
    {
      says: "0.9 of DuckDB's own COPY, end to end",
      of: rate,
      against: { contestant: "DuckDB COPY" },
      ratio: { atLeast: 0.9 }
    },
    { says: "at most 400 MB", of: "rss", against: { value: 400 }, ratio: { atMost: 1 } }
  ]
}

const peers: Work = {
  name: "to Parquet, beside libraries",
  units: "rows",
  count: some,
  rounds: 8,
  contestants: often(
    [
      contestant("millrace", "sink", ["parquet"], some, `${ofSink}; zstd 1`),
      peer(
        "hyparquet-writer",
        "hyparquetWriter",
        "hyparquet-writer",
        some,
        "`parquetWriteRows` over lazy rows, groups of 20,480, zstd 1 by node:zlib"
      ),
      peer(
        "parquet-wasm",
        "parquetWasm",
        "parquet-wasm",
        some,
        "columns by apache-arrow's `vectorFromArray`, `transformParquetStream` group by group, zstd 1; Arrow buffers made by hand would be quicker"
      ),
      peer(
        "parquetjs-lite",
        "parquetjsLite",
        "parquetjs-lite",
        some,
        "`appendRow`, groups of 20,480; it has no zstd: snappy"
      )
    ],
    { millrace: 3, "parquet-wasm": 2 }
  ),
  targets: ["hyparquet-writer", "parquet-wasm", "parquetjs-lite"].map((name) => ({
    says: `more rows in each CPU second than ${name}`,
    of: rate,
    against: { contestant: name },
    ratio: { atLeast: 1 }
  }))
}

const level: Work = {
  name: "to Parquet, zstd 3",
  units: "rows",
  count: many,
  rounds: 5,
  contestants: [
    contestant("millrace", "sink", ["parquet 3"], many, `${ofSink}; zstd 3, by the option \`level\``),
    contestant("DuckDB COPY", "copy", ["3"], many, "as above, zstd 3")
  ],
  targets: []
}

const duckdb: Work = {
  name: "to DuckDB",
  units: "rows",
  count: some,
  rounds: 6,
  contestants: [
    contestant("millrace", "sink", ["duckdb append"], some, ofSink),
    contestant("millrace, by key", "sink", ["duckdb merge"], some, `${ofSink}; merged by key into an empty table`),
    contestant(
      "appender by hand",
      "appender",
      [],
      some,
      "the driver's appender, cell by cell, flushed every 500 rows, without ledger or checkpoint"
    )
  ],
  targets: [
    {
      says: "more rows in each CPU second than the appender by hand",
      of: rate,
      against: { contestant: "appender by hand" },
      ratio: { atLeast: 1 }
    }
  ]
}

/** Megabytes: what all rounds upload has to fit into the server, which frees nothing that is written over. */
const bytes = 100
const upload = (name: string, which: string, how: string): Contestant => ({
  name,
  how,
  // The file is there before it counts; on a disk it would be written out meanwhile.
  inMemory: true,
  often: 4,
  words: ({ url = "", bucket = "" }, folder) => [
    process.execPath,
    script("upload"),
    which,
    String(bytes),
    folder,
    url,
    bucket
  ]
})
const s3: Work = {
  name: "to S3",
  units: "MB",
  count: bytes,
  rounds: 6,
  missing: () =>
    process.env["MILLRACE_TEST_S3_URL"] !== undefined || spawnSync("sh", ["-c", "command -v radosgw"]).status === 0
      ? undefined
      : "no S3 server is here (apt-get install radosgw ceph-mon ceph-osd ceph-mgr)",
  prepare: startS3,
  contestants: [
    upload(
      "millrace",
      "ours",
      "`putFile` of the store behind s3://, as the Parquet sink publishes a file; the server is Ceph's radosgw, in memory"
    ),
    upload(
      "AWS SDK",
      "sdk",
      "`Upload` of @aws-sdk/lib-storage of a stream of a file of the same size, as in its README"
    )
  ],
  targets: [
    {
      says: "no more CPU for each MB than the SDK's own upload",
      of: "MB/CPU s",
      against: { contestant: "AWS SDK" },
      ratio: { atLeast: 1 }
    }
  ]
}

const [held, changed] = [1_000_000, 100_000]
/** A table of so many pages, as the sink leaves it, in a file that each contestant copies. */
const prepareBase = async (): Promise<Prepared> => {
  const folder = await Fs.mkdtemp(join(tmpdir(), "millrace-bench-base-"))
  execFileSync(process.execPath, [script("merge"), "build", String(held), folder])
  return {
    values: { base: join(folder, "pages.duckdb") },
    stop: () => Fs.rm(folder, { recursive: true, force: true })
  }
}
const mergeOf = (name: string, work: string, how: string): Contestant => ({
  name,
  how,
  slow: true,
  words: ({ base = "" }, folder) => [process.execPath, script("merge"), work, String(changed), folder, base]
})
const merge: Work = {
  name: "merge by key",
  units: "rows",
  count: changed,
  rounds: 6,
  coolsDown: true,
  prepare: prepareBase,
  contestants: often(
    [
      mergeOf(
        "millrace",
        "merge",
        `${changed} changed pages into ${held}: the commit, with its ledger, until the file is closed; one thread, 96 MB, and a quarter of the machine's memory for the keys`
      ),
      mergeOf(
        "MERGE by hand",
        "by hand",
        "`MERGE INTO pages USING staged ON url`, COMMIT, CHECKPOINT; DuckDB with its defaults: all threads and most of the memory"
      ),
      mergeOf("MERGE by hand, one thread", "one thread", "the same with one thread"),
      mergeOf("millrace, history", "scd2", "the same rows as versions (scd2)")
    ],
    // A MERGE takes 7 CPU seconds or 15, as it falls out.
    { millrace: 2, "MERGE by hand": 5, "MERGE by hand, one thread": 4, "millrace, history": 2 }
  ),
  targets: [
    {
      says: "at most 1.3 times the CPU of a MERGE by hand",
      of: rate,
      against: { contestant: "MERGE by hand" },
      ratio: { atLeast: 1 / 1.3 }
    }
  ]
}

export const claim: Claim = {
  name: "rows",
  title: "rows into Parquet, DuckDB and S3, close to the limit of the engine itself",
  works: [parquet, peers, level, duckdb, s3, merge]
}
