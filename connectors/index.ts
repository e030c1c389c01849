/**
 * The connectors of the command line, as a list. To add one, add it here.
 */
import { connector as duckdb } from "./duckdb/index.ts"
import { connector as memory } from "./memory/index.ts"
import { connector as webdata } from "./webdata/index.ts"

export const connectors = [webdata, duckdb, memory]
