import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { pythonCells } from "#see/notebook/pythonNotebook"
import { millrace, withSite, write } from "../../app/millrace.ts"
import { databaseUrl } from "../../connectors/postgres/database.ts"
import { page } from "../../service/scriptedSite.ts"

const url = await databaseUrl()

/** A Python that can run notebooks which read Postgres. */
const python = process.env["MILLRACE_TEST_PYTHON"] ?? "python3"
const hasJupyter = spawnSync(python, ["-c", "import nbclient, ipykernel, psycopg, pandas, altair"]).status === 0
if (!hasJupyter) {
  console.warn(
    `SKIPPED: ${python} has not all of nbclient, ipykernel, psycopg, pandas and altair, so no notebook of Postgres is run (MILLRACE_TEST_PYTHON)`
  )
}

const secret = "geheim"

/** A site loaded twice into a history in Postgres; the server of tests trusts everybody, whatever the password. */
const loaded = (use: (folder: string) => Promise<void>) => {
  const routes: Record<string, string> = { "/": page("home", "/a", "http://other.test/"), "/a": page("a", "/") }
  return withSite(routes, async ({ folder, resolve }) => {
    process.env["MILLRACE_SECRET_WAREHOUSE"] = Object.assign(new URL(url ?? ""), { password: secret }).href
    write(
      folder,
      "site.yaml",
      "source: { type: crawl, url: http://site.test/, scrapeOptions: { formats: [markdown, links] } }",
      'sinks: { db: { type: postgres, url: "${secrets.WAREHOUSE}", schema: noted, write: scd2 } }'
    )
    await millrace(folder, "run", "site.yaml", "--resolve", resolve)
    routes["/a"] = page("another", "/")
    await millrace(folder, "run", "site.yaml", "--resolve", resolve)
    await use(folder)
  })
}

const run = `import os, sys, nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], 4)
nbformat.validate(notebook)
write = nbformat.v4.new_code_cell("""try:
    ask("DELETE FROM pages")
except psycopg.errors.ReadOnlySqlTransaction as refused:
    print("refused")""")
notebook.cells.append(write)
NotebookClient(notebook, resources={"metadata": {"path": os.path.dirname(sys.argv[1])}}).execute()
answers = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.outputs]
print(len(answers) > 9, "another" in str(notebook), "refused" in str(write.outputs), "${secret}" in str(notebook))`

describe.skipIf(url === undefined)("a notebook of Postgres", () => {
  it("asks in the words of Postgres, and has the name of the secret and not the secret", { timeout: 180_000 }, () =>
    loaded(async (folder) => {
      const { code, stderr } = await millrace(folder, "notebook", "site.yaml")
      const text = readFileSync(join(folder, "site.ipynb"), "utf8")

      expect([code, stderr]).toEqual([0, ""])
      expect(text).toContain('secret(\\"WAREHOUSE\\")')
      expect(text).toContain("%(word)s")
      expect(text).not.toMatch(/geheim|127\.0\.0\.1|localhost|GROUP BY ALL|EXCLUDE|SUMMARIZE/)
      if (hasJupyter) {
        const { stderr: failure, stdout } = spawnSync(python, ["-c", run, join(folder, "site.ipynb")], {
          encoding: "utf8"
        })
        expect(stdout || failure).toBe("True True True False\n")
      }
    })
  )

  it("is for Python alone", () =>
    loaded(async (folder) => {
      const { code, stderr } = await millrace(folder, "notebook", "site.yaml", "--ts")

      expect(code).toBe(2)
      expect(stderr).toBe(
        "site: sink db: a TypeScript notebook cannot open postgres; leave out --ts, or name another with --sink\n"
      )
    }))
})

/** The URL in the notebook of a database, as an expression of Python. */
const urlExpression = (written: string, plain: string): string | undefined => {
  const readers = { _tag: "Postgres", url: plain, schema: "main" } as const
  const [, opening] = pythonCells({ pipeline: "site", file: "site.yaml", readers, written, folder: "." }, [])
  return /^URL = (.*)$/m.exec(opening?.text ?? "")?.[1]
}

it("the URL of a database is written with names of variables, and never with a password", () => {
  const plain = "postgres://u@h/d"
  expect(urlExpression("${secrets.DB}", plain)).toBe('secret("DB")')
  expect(urlExpression("postgres://u:${env.PW}@h/d", plain)).toBe('"postgres://u:" + os.environ["PW"] + "@h/d"')
  expect(urlExpression("${env.DB:-postgres://u:geheim@h/d}", plain)).toBe('os.environ["DB"]')
  for (const written of [
    "postgres://u:geheim@h/d",
    "postgres://u:geheim@${env.HOST}/d",
    "postgres://u:${vars.pw}@${env.HOST}/d",
    "postgres://u:a$${x}@${env.HOST}/d",
    ""
  ]) {
    expect(urlExpression(written, plain)).toBe('"postgres://u@h/d"')
  }
})
