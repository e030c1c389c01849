/** One flipped bit in a data file, in what its pages hold: no reader gets other rows. Parquet has no checksum of their headers. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api"
import { expect, it } from "vitest"
import { parquet } from "#connectors/parquet/index"
import { randomFrom, seed } from "#testing/specimens"
import { rows, run } from "../../../src/index.ts"
import { inFolder } from "../../app/millrace.ts"
import { timesOf } from "../../thoroughness.ts"

const flips = timesOf(20, 60, 1000)

const objects = Array.from({ length: 3000 }, (_, at) => ({
  id: at,
  text: `text ${(at * 7919) % 1009}`,
  share: at / 7,
  list: at % 3 === 0 ? null : [at, at + 1]
}))

/** The rows of a file, as DuckDB alone reads them; undefined: it refuses the file. */
const readByDuckdb = async (connection: DuckDBConnection, file: string): Promise<string | undefined> => {
  try {
    const found = await connection.runAndReadAll(`SELECT * FROM read_parquet('${file}') ORDER BY id`)
    return JSON.stringify(found.getRowsJson())
  } catch {
    return undefined
  }
}

/** Whether a byte is right before a frame of zstd, where the header of its page is. */
const isInHeader = (file: Buffer, at: number): boolean => {
  const frame = file.indexOf(Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), at + 1)
  return frame !== -1 && frame - at <= 64
}

/** A file that was written by one run, and one whose rows another run has merged. */
const files = {
  written: [objects],
  merged: [objects, objects.slice(100, 200).map((row) => ({ ...row, text: "other" }))]
}

it.each(Object.entries(files))(
  `a %s data file has a checksum in each page, and DuckDB takes none of ${flips} flipped bits for rows (MILLRACE_SEED=${seed})`,
  (_, loads) =>
    inFolder(async (folder) => {
      const lake = parquet.with({ path: join(folder, "lake"), write: "merge" })
      let before = new Set<string>()
      for (const some of loads) {
        before = new Set(readdirSync(folder).includes("lake") ? readdirSync(join(folder, "lake/t")) : [])
        await run(
          { name: "p", source: rows(some, { table: "t", key: "id" }), sinks: { lake } },
          { journal: "temporary" }
        )
      }
      const sizes = readdirSync(join(folder, "lake/t"))
        .filter((file) => file.endsWith(".parquet") && !before.has(file))
        .map((file) => [statSync(join(folder, "lake/t", file)).size, file] as const)
      const [, name] = sizes.toSorted(([a], [b]) => b - a)[0] ?? expect.fail("no file was written")
      const file = join(folder, "lake/t", name)
      const whole = readFileSync(file)
      const instance = await DuckDBInstance.create()
      const connection = await instance.connect()
      const expected = await readByDuckdb(connection, file)
      // The footer is the end of the file; its length is in the last eight bytes.
      const data = whole.length - whole.readUInt32LE(whole.length - 8) - 8
      const random = randomFrom(seed)
      let refused = 0
      for (let time = 0; time < flips; time++) {
        let at = 4 + random(data - 4)
        while (isInHeader(whole, at)) at = 4 + random(data - 4)
        const bit = random(8)
        const bytes = Buffer.from(whole)
        bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
        const damaged = join(folder, `damaged-${time}.parquet`)
        writeFileSync(damaged, bytes)
        const found = await readByDuckdb(connection, damaged)
        if (found === undefined) refused += 1
        else expect(found, `bit ${bit} of byte ${at}`).toBe(expected)
      }
      connection.closeSync()
      instance.closeSync()
      expect(refused).toBeGreaterThan(flips / 2)
    })
)
