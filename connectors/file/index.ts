/** The file connector: the object store behind plain paths and file: URLs, and the sink that hands files over. */
import * as Connector from "../../src/pipeline/Connector.ts"
import type * as ObjectStore from "../../src/pipeline/ObjectStore.ts"
import { open } from "./FileStore.ts"
import { fileSink } from "./sink.ts"

export { Options } from "./options.ts"
export { fileSink } from "./sink.ts"

export const file: ObjectStore.StoreFactory = { scheme: "file", open }

export const connector = Connector.make({ name: "file", sinks: [fileSink], stores: [file] })
