/**
 * The gov connector: files of government texts as tables of documents and sections. It asks nobody; it reads a folder.
 */
import * as Connector from "../../src/pipeline/Connector.ts"
import { govCorpus } from "./corpus.ts"

export { govCorpus } from "./corpus.ts"
export * as tables from "./tables.ts"

export const connector = Connector.make({ name: "gov", sources: [govCorpus] })
