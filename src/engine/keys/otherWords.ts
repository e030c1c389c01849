/**
 * The words of other tools for keys of a pipeline file: dlt, Sling, Meltano, Airbyte, Redpanda Connect, faucet, Scrapy. The
 * error message for such a word names the key of Millrace.
 */

/** What to write instead of a key. Case, dashes and underscores are ignored. */
export const keyInOtherWords = (key: string): string | undefined => {
  const ours = keys.get(plain(key))
  const [, name, rest = ""] = /^(`[^`]+`)(.*)$/.exec(ours ?? "") ?? []
  return name === undefined ? ours : `this is called ${name} here${rest}`
}

/** What to write instead of a value of `write`. */
export const writeInOtherWords = (value: string): string | undefined => writes.get(plain(value))

const plain = (word: string): string => word.toLowerCase().replaceAll(/[-_\s]/g, "")

const sinks = "`sinks`: { NAME: { type: ..., path: ... } }"
const write = "`write`: append, replace, merge or scd2, in each sink"
const key = "`key`, in `table`: { key: url }"
const source = "`source`: { type: ..., ... }; one file has one"
const incremental =
  "there is no such key: a source continues at the checkpoint in the destinations; `millrace backfill` loads the past"
const nested = "`nested`: struct, json or tables, in `table`"
const steps = "`steps`: where, derive, select, drop, rename, dedupe, mask, map"
const schedule = "`schedule`: { cron: ..., timezone: ... }"
const credits = "`limits`: { credits: ..., concurrency: ... }"
const column = "`partition`: a list of columns, in a parquet sink"
const urls = "`url`, in a crawl; `urls` in an extract"
const depth = "`maxDiscoveryDepth`, in a crawl"
const secrets = "`${secrets.NAME}`, which is read from MILLRACE_SECRET_NAME"
const retries = "`schedule`: { retries: ..., backoff: ... }"

const pairs: ReadonlyArray<readonly [ours: string, theirs: ReadonlyArray<string>]> = [
  [
    sinks,
    ["destination", "destinations", "dest", "target", "targets", "sink", "output", "outputs", "loader", "loaders"]
  ],
  [source, ["sources", "input", "inputs", "extractor", "extractors", "resource", "resources", "tap"]],
  [
    write,
    ["write_disposition", "write_mode", "disposition", "mode", "sync_mode", "destination_sync_mode", "load_method"]
  ],
  [key, ["primary_key", "primary_keys", "merge_key", "unique_key", "unique_id", "id_column", "key_properties"]],
  [
    incremental,
    ["incremental", "cursor", "cursor_field", "cursor_path", "update_key", "replication_key", "bookmark", "state"]
  ],
  ["`name`, in `table`: { name: pages }", ["table_name", "object", "stream", "stream_name", "collection"]],
  [
    "one file is one pipeline here: write a file for each, with `source: { ... }`",
    ["streams", "pipelines", "jobs", "tasks"]
  ],
  ["`schema`, in each sink", ["dataset", "dataset_name", "database_path"]],
  [nested, ["max_table_nesting", "nesting", "flatten", "explode", "unnest"]],
  ["`contract`: evolve, quarantine or freeze, in `table`", ["schema_contract", "schema_evolution", "on_schema_change"]],
  [
    steps,
    ["transforms", "transform", "transformations", "processors", "processing_steps", "mapping", "select", "filter"]
  ],
  ["`checks`, which hold the commit", ["quality", "tests", "assertions", "expectations", "audits", "hooks"]],
  [schedule, ["cron", "interval", "trigger", "triggers"]],
  [
    "options stand beside `type` here: `{ type: crawl, url: ... }`",
    ["source_options", "target_options", "config", "options", "spec"]
  ],
  ["there are no global defaults: write the options into each sink", ["defaults", "resource_defaults"]],
  [depth, ["max_depth", "depth", "depth_limit", "max_crawl_depth", "maxDepth"]],
  ["`limit`, in a crawl", ["max_pages", "page_limit", "max_requests_per_crawl", "closespider_pagecount", "max_items"]],
  [urls, ["start_urls", "start_url", "base_url", "seeds", "entry_points"]],
  ["`includePaths`: RE2 patterns on the path, in a crawl", ["allow", "include", "include_patterns", "globs"]],
  ["`excludePaths`: RE2 patterns on the path, in a crawl", ["deny", "exclude", "exclude_patterns"]],
  ["`delay`: seconds, in a crawl", ["download_delay", "crawl_delay", "rate_limit"]],
  ["`ignoreRobotsTxt`, in a crawl", ["robotstxt_obey", "respect_robots_txt", "obey_robots"]],
  ["`headers`, in `scrapeOptions`", ["default_request_headers", "request_headers", "user_agent"]],
  ["`formats`, in `scrapeOptions`", ["output_format", "output_formats"]],
  [column, ["partition_by", "partitions", "partition_columns", "layout"]],
  ["`rotate`: bytes, in a parquet sink", ["file_max_bytes", "max_file_size", "target_file_size", "batch_item_count"]],
  ["`row_group`: rows, in a parquet sink", ["row_group_size", "file_max_rows"]],
  ["`removed`: close, in a sink with `write: scd2`", ["delete_missing", "hard_delete", "hard_deletes"]],
  [credits, ["budget", "max_credits", "concurrent_requests", "max_concurrency", "parallelism", "workers"]],
  ["`vars`", ["variables", "params", "parameters", "env"]],
  [secrets, ["credentials", "auth", "authentication", "secrets", "api_key"]],
  ["`service`: { url: ..., key: ... }", ["api_url", "endpoint_url"]],
  [retries, ["retry", "max_retries", "retry_policy"]],
  ["`notify`", ["notifications", "alerts", "on_failure"]],
  ["`pages__rejects`, a table that every run has", ["dlq", "dead_letter", "dead_letter_queue", "error_handling"]]
]

const keys: ReadonlyMap<string, string> = new Map(
  pairs.flatMap(([ours, theirs]) => theirs.map((word) => [plain(word), ours] as const))
)

const wordsOfWrite: Readonly<Record<string, ReadonlyArray<string>>> = {
  replace: ["full_refresh", "truncate", "overwrite", "truncate_and_insert", "insert_from_staging", "full"],
  merge: ["upsert", "incremental", "delete_insert", "update_insert", "append_dedup", "incremental_deduped_history"],
  append: ["insert", "insert_only", "create", "add"],
  scd2: ["snapshot", "scd", "history", "scd_type_2", "versioned"]
}

const writes: ReadonlyMap<string, string> = new Map(
  Object.entries(wordsOfWrite).flatMap(([ours, theirs]) => theirs.map((word) => [plain(word), ours] as const))
)
