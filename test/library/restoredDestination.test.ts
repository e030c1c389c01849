/** A destination that was put back from a backup, or is gone, lacks runs that the journal says it had. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { duckdb } from "#connectors/duckdb/index"
import { rows, run } from "../../src/index.ts"

const folder = mkdtempSync(join(tmpdir(), "millrace-restored-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const turn = (name: string, number: number) =>
  run({
    name,
    directory: folder,
    source: rows([{ id: number }], { table: "things", key: "id" }),
    sinks: { db: duckdb.with({ path: `./${name}.duckdb`, write: "merge" }) }
  })
const warnings = async (name: string, number: number) =>
  (await turn(name, number)).warnings.map(({ message }) => message)

it("a run warns once of what is missing in a destination that was put back, and names the run to replay", async () => {
  await turn("restored", 1)
  const [file, backup] = [join(folder, "restored.duckdb"), join(folder, "backup.duckdb")]
  copyFileSync(file, backup)
  const { runId } = await turn("restored", 2)
  copyFileSync(backup, file)
  expect(await warnings("restored", 3)).toEqual([
    `sink db does not have run ${runId} any more: it was put back from a backup, or is lost; \`millrace replay ${runId}\` loads the run again`
  ])
  expect(await warnings("restored", 4)).toEqual([])
})

it("a destination that is gone is named, and one that has all its runs is not", async () => {
  expect(await warnings("removed", 1)).toEqual([])
  expect(await warnings("removed", 2)).toEqual([])
  rmSync(join(folder, "removed.duckdb"))
  expect(await warnings("removed", 3)).toEqual([expect.stringContaining("sink db does not have run")])
})
