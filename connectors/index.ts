/**
 * The connectors of the command line, as a list. To add one, add it here.
 */
import type { WebData } from "../src/client/WebData.ts"
import type { Connector } from "../src/pipeline/Connector.ts"
import type { Inboxes } from "../src/pipeline/Inbox.ts"
import type { ObjectStores } from "../src/pipeline/ObjectStore.ts"
import { connector as duckdb } from "./duckdb/index.ts"
import { connector as file } from "./file/index.ts"
import { connector as gov } from "./gov/index.ts"
import { connector as memory } from "./memory/index.ts"
import { connector as parquet } from "./parquet/index.ts"
import { connector as postgres } from "./postgres/index.ts"
import { connector as s3 } from "./s3/index.ts"
import { connector as webdata } from "./webdata/index.ts"

export const connectors: ReadonlyArray<Connector<WebData | ObjectStores | Inboxes>> = [
  webdata,
  gov,
  duckdb,
  parquet,
  postgres,
  file,
  s3,
  memory
]
