/** The entries of the package: what a program imports, and the file behind it. */
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../..", import.meta.url))

export const publicEntries: Readonly<Record<string, string>> = {
  millrace: "src/index.ts",
  "millrace/testing": "src/testing/index.ts",
  "millrace/client": "src/contract/client.ts",
  ...Object.fromEntries(
    ["duckdb", "file", "gov", "memory", "parquet", "postgres", "s3", "sqlite", "webdata"].map((name) => [
      `millrace/connectors/${name}`,
      `connectors/${name}/index.ts`
    ])
  ),
  "millrace/service": "src/service/index.ts",
  "millrace/api": "src/contract/index.ts"
}
