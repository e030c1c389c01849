/** Opens a DuckDB file, says what its pages are, closes it, and begins again until it is killed. */
import { DuckDBInstance } from "@duckdb/node-api"

for (;;) {
  const instance = await DuckDBInstance.create(process.argv[2] ?? "", { access_mode: "READ_ONLY" })
  const connection = await instance.connect()
  const rows = (
    await connection.runAndReadAll("SELECT version, count(*) AS n FROM pages GROUP BY version")
  ).getRowsJson()
  process.stdout.write(`${rows.map(([version, n]) => `${n} rows of version ${version}`).join(" and ")}\n`)
  connection.closeSync()
  instance.closeSync()
}
