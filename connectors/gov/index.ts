/**
 * The gov connector: files of government texts as tables of documents and sections. It asks nobody; it reads a folder.
 */
import * as Connector from "#engine/Connector"
import { govCorpus } from "./corpus.ts"

export { govCorpus } from "./corpus.ts"
export * as tables from "./tables.ts"

/**
 * The connector of government texts: its source.
 *
 * @example
 * ```ts
 * import { connector } from "millrace/connectors/gov"
 *
 * console.log(connector.sources.map(({ type }) => type)) // ["gov_corpus"]
 * ```
 */
export const connector = Connector.make({ name: "gov", sources: [govCorpus] })
