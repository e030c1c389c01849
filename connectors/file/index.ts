/** The file connector: the object store behind plain paths and file: URLs. */
import * as Connector from "../../src/pipeline/Connector.ts"
import type * as ObjectStore from "../../src/pipeline/ObjectStore.ts"
import { open } from "./FileStore.ts"

export const file: ObjectStore.StoreFactory = { scheme: "file", open }

export const connector = Connector.make({ name: "file", stores: [file] })
