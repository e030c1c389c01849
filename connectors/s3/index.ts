/** The S3 connector: the object store behind s3://bucket/prefix, on Amazon's servers or any that speak their protocol. */
import * as Connector from "../../src/pipeline/Connector.ts"
import type * as ObjectStore from "../../src/pipeline/ObjectStore.ts"
import { open } from "./S3Store.ts"

export const s3: ObjectStore.StoreFactory = { scheme: "s3", open }

export const connector = Connector.make({ name: "s3", stores: [s3] })
