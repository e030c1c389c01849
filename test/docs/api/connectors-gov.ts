// Copied by `npm run docs` from docs/reference/api/connectors-gov.md. Do not edit.
import { connector, govCorpus, tables } from "../../../connectors/gov/index.ts"

{
  console.log(connector.sources.map(({ type }) => type)) // ["gov_corpus"]
}
{
  console.log(govCorpus.with({ path: "./corpus" }).tables.map(({ name }) => name)) // ["gov_sections", "gov_documents", "gov_files"]
}
{
  console.log(tables.documents.key) // ["identity", "version"]
}
{
  console.log(tables.files.key) // ["file"]
}
{
  console.log(tables.sections.key) // ["url"]
}
