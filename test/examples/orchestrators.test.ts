import { execFile, spawnSync } from "node:child_process"
import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { command, millrace, withSite } from "../app/millrace.ts"
import { page } from "../service/scriptedSite.ts"

const examples = resolve(import.meta.dirname, "../../examples/orchestrators")

/** A Python that has Dagster. */
const python = process.env["MILLRACE_TEST_DAGSTER"] ?? "python3"
const hasDagster = spawnSync(python, ["-c", "import dagster"]).status === 0
if (!hasDagster) {
  console.warn(`SKIPPED: ${python} has no dagster, so its example is not run (MILLRACE_TEST_DAGSTER)`)
}

/** A Python that has Airflow. */
const airflow = process.env["MILLRACE_TEST_AIRFLOW"] ?? "python3"
const hasAirflow = spawnSync(airflow, ["-c", "import airflow.sdk"]).status === 0
if (!hasAirflow) console.warn(`SKIPPED: ${airflow} has no airflow, so its example is not run (MILLRACE_TEST_AIRFLOW)`)

it("the pipeline file of the orchestrator examples is valid", async () => {
  expect((await millrace(examples, "check", "site.yaml")).code).toBe(0)
})

it.skipIf(!hasDagster)("Dagster materializes a pipeline file, and its rows are the metadata of the asset", () =>
  withSite({ "/": page("home", "/a"), "/a": page("a") }, async ({ folder, resolve: resolved }) => {
    writePipeline(folder, resolved)
    copyFileSync(join(examples, "dagster_site.py"), join(folder, "dagster_site.py"))
    const run =
      "from dagster import materialize; import dagster_site; ran = materialize([dagster_site.site]); " +
      "print('ROWS', ran.asset_materializations_for_node('site')[0].metadata['rows of pages'].value)"

    // Not at once: the site is served by this process.
    const ran = await promisify(execFile)(python, ["-c", run], {
      cwd: folder,
      env: { ...process.env, MILLRACE: command, DAGSTER_HOME: "" }
    })

    expect(ran.stdout).toContain("ROWS 2")
  })
)

it.skipIf(!hasAirflow)("Airflow runs a pipeline file as a task, and its rows are what the task returns", () =>
  withSite({ "/": page("home", "/a"), "/a": page("a") }, async ({ folder, resolve: resolved }) => {
    writePipeline(folder, resolved)
    copyFileSync(join(examples, "airflow_site.py"), join(folder, "airflow_site.py"))
    const env = {
      ...process.env,
      MILLRACE: command,
      AIRFLOW_HOME: join(folder, "airflow"),
      AIRFLOW__CORE__DAGS_FOLDER: folder,
      AIRFLOW__CORE__LOAD_EXAMPLES: "False"
    }
    const run = (...args: ReadonlyArray<string>) =>
      promisify(execFile)(airflow, ["-m", "airflow", ...args], { cwd: folder, env })

    await run("db", "migrate")
    const { stderr, stdout } = await run("dags", "test", "site")

    expect(`${stdout}${stderr}`).toMatch(/Returned value was: \{'pages': 2,/)
    expect(`${stdout}${stderr}`).toMatch(/state=success/)
  })
)

/** The file of both examples, for the site of the test. */
const writePipeline = (folder: string, resolved: string): void => {
  const [host, address] = resolved.split("=")
  const file = readFileSync(join(examples, "site.yaml"), "utf8")
  writeFileSync(
    join(folder, "site.yaml"),
    file
      .replace("http://127.0.0.1:8787/", `http://${host}/`)
      .replace("{ allow_private: true }", `{ resolve: ["${host}=${address}"] }`)
  )
}
