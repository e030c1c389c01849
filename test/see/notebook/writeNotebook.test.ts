import { spawnSync } from "node:child_process"
import { readFileSync, rmSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { expect, it } from "vitest"
import { millrace, withSite, write } from "../../app/millrace.ts"
import { page } from "../../service/scriptedSite.ts"

/** A Python that can run notebooks. */
const python = process.env["MILLRACE_TEST_PYTHON"] ?? "python3"
const hasJupyter = spawnSync(python, ["-c", "import nbclient, ipykernel, duckdb, pandas, altair"]).status === 0
if (!hasJupyter) {
  console.warn(
    `SKIPPED: ${python} has not all of nbclient, ipykernel, duckdb, pandas and altair, so no notebook is run (MILLRACE_TEST_PYTHON)`
  )
}

const hasDeno =
  hasJupyter &&
  spawnSync(python, ["-c", "from jupyter_client.kernelspec import get_kernel_spec; get_kernel_spec('deno')"]).status ===
    0
if (!hasDeno) console.warn("SKIPPED: Jupyter has no kernel of Deno, so no TypeScript notebook is run")

interface Notebook {
  readonly cells: ReadonlyArray<{ readonly cell_type: string; readonly source: ReadonlyArray<string> }>
}

const read = (folder: string, name: string): Notebook => JSON.parse(readFileSync(join(folder, name), "utf8"))
const codeOf = ({ cells }: Notebook) =>
  cells.flatMap(({ cell_type: type, source }) => (type === "code" ? [source.join("")] : []))
const sourcesOf = ({ cells }: Notebook) => cells.map(({ source }) => source.join(""))
const titlesOf = ({ cells }: Notebook) =>
  cells.flatMap(({ source: [first = ""] }) => (first.startsWith("#") ? [first.trim()] : []))
/** The questions of a notebook. Its one value, a word, is part of two pages. */
const questionsIn = (notebook: Notebook) =>
  codeOf(notebook).flatMap((code) => /"""\n([^]*?)\n\s+"""/.exec(code)?.[1]?.replaceAll("$word", "'HOME'") ?? [])

/** A site of two pages that link each other, loaded twice, as a history in a file and as a lake. */
const loaded = (use: (folder: string) => Promise<void>) => {
  const routes: Record<string, string> = { "/": page("home", "/a", "http://other.test/"), "/a": page("a", "/") }
  return withSite(routes, async ({ folder, resolve }) => {
    write(
      folder,
      "site.yaml",
      "source: { type: crawl, url: http://site.test/, scrapeOptions: { formats: [markdown, links] } }",
      "sinks:",
      '  db: { type: duckdb, path: "./it\'s.duckdb", schema: History, write: scd2 }',
      "  lake: { type: parquet, path: ./lake, write: replace }"
    )
    await millrace(folder, "run", "site.yaml", "--resolve", resolve)
    routes["/a"] = page("another", "/")
    await millrace(folder, "run", "site.yaml", "--resolve", resolve)
    await use(folder)
  })
}

it("a notebook asks what the tables of its pipeline can answer, and is not written over another", () =>
  loaded(async (folder) => {
    const written = await millrace(folder, "notebook", "site.yaml")
    const again = await millrace(folder, "notebook", "site.yaml")
    const forced = await millrace(
      folder,
      "notebook",
      "site.yaml",
      "--force",
      "--sink",
      "lake",
      "--output",
      "sub/lake.ipynb"
    )

    expect([written.code, forced.code]).toEqual([0, 0])
    expect([again.code, again.stderr]).toEqual([
      2,
      "site.ipynb is there already: --force replaces it, --output names another file\n"
    ])
    expect(titlesOf(read(folder, "site.ipynb"))).toEqual(
      expect.arrayContaining(["# site", "## What is there", "## The last runs", "## What changed", "## What failed"])
    )
    const ofLake = read(folder, "sub/lake.ipynb")
    expect(titlesOf(ofLake)).not.toContain("## What changed")
    expect(codeOf(ofLake)[0]).toContain('LAKE = "../lake"')

    const connection = await (await DuckDBInstance.create(":memory:")).connect()
    await connection.run(`ATTACH '${join(folder, "it's.duckdb").replaceAll("'", "''")}' AS loaded (READ_ONLY)`)
    await connection.run('USE loaded."History"')
    const answers = []
    for (const sql of questionsIn(read(folder, "site.ipynb"))) {
      answers.push((await connection.runAndReadAll(sql)).getRowObjectsJson())
    }
    expect(answers.length).toBeGreaterThan(10)
    expect(answers[0]).toContainEqual({ table: "pages", rows: "3" })
    expect(answers.flat()).toContainEqual({ host: "other.test", links: "1" })
    connection.disconnectSync()
  }))

it("a TypeScript notebook asks the same questions, and says the type of the rows of each table", () =>
  loaded(async (folder) => {
    const written = await millrace(folder, "notebook", "site.yaml", "--ts", "--sink", "lake")
    await millrace(folder, "notebook", "site.yaml", "--sink", "lake", "--output", "python.ipynb")
    const notebook = read(folder, "site.ipynb")
    const [opening = "", types = ""] = codeOf(notebook)

    expect(written.code).toBe(0)
    expect(titlesOf(notebook).filter((title) => title !== "## The rows")).toEqual(
      titlesOf(read(folder, "python.ipynb"))
    )
    expect(opening).toContain('const lake = "lake"')
    expect(types).toMatch(/export interface Pages \{\n {2}\/\*\* [^\n]+ \*\/\n {2}readonly url: string\n/)
    expect(types).toContain('readonly "page_links": PageLinks')
    for (const code of codeOf(notebook)) expect(() => stripTypeScriptTypes(code)).not.toThrow()
  }))

/** Runs notebooks; what they say, or how they fail. */
const runAll = (...paths: ReadonlyArray<string>) => {
  const run = `import os, sys, nbformat
from nbclient import NotebookClient
for path in sys.argv[1:]:
    notebook = nbformat.read(path, 4)
    nbformat.validate(notebook)
    NotebookClient(notebook, resources={"metadata": {"path": os.path.dirname(path)}}).execute()
    answers = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.outputs]
    print(len(answers) > 9, "another" in str(notebook))`
  const { status, stderr, stdout } = spawnSync(python, ["-c", run, ...paths], { encoding: "utf8" })
  return status === 0 ? stdout : stderr
}

it.skipIf(!hasJupyter)("notebooks run in Python, over a DuckDB file and over a lake", () =>
  loaded(async (folder) => {
    await millrace(folder, "notebook", "site.yaml")
    await millrace(folder, "notebook", "site.yaml", "--sink", "lake", "--output", "sub/lake.ipynb")

    expect(runAll(join(folder, "site.ipynb"), join(folder, "sub/lake.ipynb"))).toBe("True True\nTrue True\n")
  })
)

it.skipIf(!hasDeno)("notebooks run in Deno, over a DuckDB file and over a lake", () =>
  loaded(async (folder) => {
    await millrace(folder, "notebook", "site.yaml", "--ts")
    await millrace(folder, "notebook", "site.yaml", "--ts", "--sink", "lake", "--output", "sub/lake.ipynb")

    expect(runAll(join(folder, "site.ipynb"), join(folder, "sub/lake.ipynb"))).toBe("True True\nTrue True\n")
  })
)

it("the examples have the cells that the command writes today", async () => {
  const root = join(import.meta.dirname, "../../..")
  for (const [name, ...flags] of [["quickstart.ipynb"], ["quickstart.ts.ipynb", "--ts", "--sink", "lake"]]) {
    const example = join(root, "examples/notebooks", name ?? "")
    const kept = readFileSync(example, "utf8")
    const beside = join(root, "examples/notebooks", `.now-${name}`)
    const now = await millrace(root, "notebook", "pipelines/quickstart.yaml", ...flags, "--output", beside)
    const written = readFileSync(beside, "utf8")
    rmSync(beside)

    expect(now.code).toBe(0)
    expect(sourcesOf(JSON.parse(kept))).toEqual(sourcesOf(JSON.parse(written)))
  }
})
