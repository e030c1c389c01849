import * as Fs from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import {
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  UploadPartCommand
} from "@aws-sdk/client-s3"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { parquet, readManifest } from "#connectors/parquet/index"
import { s3 as store } from "#connectors/s3/index"
import * as Upload from "#connectors/s3/Upload"
import * as Column from "#engine/Column"
import * as Database from "#engine/Duckdb"
import * as ObjectStore from "#engine/ObjectStore"
import * as Table from "#engine/Table"
import * as CrashSuite from "#testing/CrashSuite"
import { folder } from "#testing/folder"
import * as ObjectStoreSuite from "#testing/ObjectStoreSuite"
import { commitOf, page as pageRow } from "#testing/SinkBench"
import * as SinkSuite from "#testing/SinkSuite"
import { pages } from "#testing/specimens"
import { inFolder, start, write } from "../../app/millrace.ts"
import { page, scriptedSite } from "../../service/scriptedSite.ts"
import { accessTo } from "../../services/accessTo.ts"
import { s3 } from "../../services/s3.ts"
import { sampleOf, soaking, timesOf } from "../../thoroughness.ts"
import { lawsOnCommit } from "../lawsOnCommit.ts"
import { activeIn } from "../parquet/delta/activeIn.ts"
import { icebergIn } from "../parquet/iceberg/icebergIn.ts"
import { selectFrom } from "../parquet/lake.ts"
import * as threeFiles from "../parquet/threeFiles.ts"
import { type Fault, faultyServer } from "./faultyServer.ts"

const nowhere = { url: "", access: {}, bucket: "none", fresh: () => "s3://none" }
const { access, bucket, fresh } = s3 ?? nowhere

/** The rows of a table as its manifest has them, fetched object by object and read by DuckDB. */
const readTable = (url: string, table: Table.Table) =>
  Effect.scoped(
    Effect.gen(function* () {
      const lake = yield* store.open(url, access)
      const manifest = yield* readManifest(lake)
      const state = Option.getOrUndefined(manifest)?.tables[table.name]
      const { columns = [], files = [], partition = [] } = state ?? {}
      if (files.length === 0) return []
      const directory = yield* folder
      const locals = yield* Effect.forEach(files, ({ path }, at) =>
        Effect.gen(function* () {
          const local = join(directory, dirname(path), `${at}.parquet`)
          yield* Effect.promise(() => Fs.mkdir(dirname(local), { recursive: true }))
          const bytes = Option.getOrThrow(yield* lake.get(path))
          yield* Effect.promise(() => Fs.writeFile(local, bytes))
          return Database.literal(local)
        })
      )
      const database = yield* Database.open({ threads: 1, memory: "256MB", spill: join(directory, "spill") })
      const names = table.columns.map((column) => Column.quote(column.name)).join(", ")
      return yield* database.query(
        `SELECT ${names} FROM (${selectFrom(columns, partition, locals.join(", "))})`,
        table.columns
      )
    })
  )

const stores = (how = access) =>
  Layer.succeed(ObjectStore.ObjectStores, { open: (location: string) => store.open(location, how) })

/** Everything waits for the server most of the time, so it is done side by side; each test has a prefix of its own. */
describe.skipIf(s3 === undefined).concurrent("on a real S3 server,", () => {
  ObjectStoreSuite.suite("s3", { open: () => store.open(fresh(), access) })

  const lakes = new Map<string, string>()
  const lakeOf = (directory: string) => {
    const url = lakes.get(directory) ?? fresh()
    lakes.set(directory, url)
    return url
  }
  // Parquet keeps every law in a folder (parquet/Writer.test.ts). The store decides when a commit is seen, what a run that is
  // written again leaves, and who else writes.
  lawsOnCommit(
    "parquet on s3",
    {
      destination: (directory) => parquet.with({ path: lakeOf(directory) }),
      closing: (directory) => parquet.with({ path: lakeOf(directory), removed: "close" }),
      read: (directory, table) => readTable(lakeOf(directory), table),
      layer: stores(),
      secondWriter: "fails to commit",
      interruptions: timesOf(2, 4, 24)
    },
    sampleOf(
      [...SinkSuite.lawsOf.commits, ...SinkSuite.lawsOf.once, ...SinkSuite.lawsOf.replay, ...SinkSuite.lawsOf.sharing],
      8,
      (law) => law.sentence
    )
  )

  const load = (url: string, run: string) => Effect.flatMap(folder, (directory) => threeFiles.load(url, run, directory))

  /** Loads "two" behind "one" through a server that fails once, and tells how many requests it took. */
  const loadThrough = Effect.fnUntraced(function* (fault: Fault, nth: number) {
    const url = fresh()
    yield* Effect.provide(load(url, "one"), stores())
    const server = yield* Effect.acquireRelease(
      Effect.promise(() => faultyServer(s3?.url ?? "", fault, nth)),
      (server) => Effect.sync(server.stop)
    )
    const receipt = yield* Effect.provide(load(url, "two"), stores(accessTo(server.url)))

    expect(receipt.rows).toEqual({ pages: 3 })
    const seen = (yield* readTable(url, pages)).map((row) => row["url"])
    expect(seen.toSorted()).toEqual(threeFiles.urls("one", "two"))
    return server.requests()
  }, Effect.scoped)

  const faults = ["reset", "500", "slow down", "lost"] as const satisfies ReadonlyArray<Fault>
  for (const [place, fault] of faults.entries()) {
    const which = soaking ? "every n" : "every fourth n: the other three faults have the others"
    it.live(`a load whose nth request meets a fault (${fault}) loses nothing and repeats nothing, for ${which}`, () =>
      Effect.gen(function* () {
        const requests = yield* loadThrough(fault, 0)
        const every = Array.from({ length: requests }, (_, at) => at + 1)
        const tried = soaking ? every : every.filter((nth) => nth % faults.length === place)
        const made = yield* Effect.forEach(tried, (nth) => loadThrough(fault, nth), { concurrency: 3 })

        // Each met its fault: none took fewer requests than the one that was to fail.
        expect(made.filter((count, at) => count < (tried[at] ?? Infinity))).toEqual([])
        expect(requests).toBeGreaterThan(5)
      })
    )
  }

  /** The Iceberg table in a bucket, which must show the files of the manifest and have all of them. */
  const agree = Effect.fnUntraced(function* (lake: string, table: string) {
    const bucket = yield* store.open(lake, access)
    const objects = new Map<string, Uint8Array>()
    const there = (yield* bucket.list(`${table}/`)).map(({ path }) => path)
    const read = Effect.fnUntraced(function* (path: string) {
      // Of the files of rows it counts that they are there.
      const bytes = path.endsWith(".parquet") ? new Uint8Array() : Option.getOrThrow(yield* bucket.get(path))
      objects.set(path, bytes)
    })
    yield* Effect.forEach(there, read, { concurrency: 8, discard: true })
    const get = (path: string) => objects.get(path) ?? expect.fail(`${path} is gone`)
    const { filesAt, metadata } = yield* icebergIn(lake, table, get)
    const manifest = Option.getOrThrow(yield* readManifest(bucket))
    const state = manifest.tables[table]
    const named = state?.files.map(({ path }) => path).sort()
    expect(filesAt(metadata["current-snapshot-id"])).toEqual(named)
    expect(activeIn(lake, table, state?.delta?.version ?? -1, get)).toEqual(named)
    for (const snapshot of metadata.snapshots) filesAt(snapshot["snapshot-id"]).map(get)
    return { metadata, objects: [...objects.keys()] }
  })

  it.effect("vacuum takes the snapshots of an Iceberg table in a bucket away with their files, and no others", () =>
    Effect.gen(function* () {
      const [directory, lake] = [yield* folder, fresh()]
      const sink = parquet.with({ path: lake, iceberg: true })
      for (const run of ["one", "two", "three"]) {
        const tables = [{ table: pages, write: "replace" as const }]
        const open = sink.open({ pipeline: "suite", runId: run, directory, evolve: true, tables })
        const load = Effect.flatMap(open, (writer) =>
          Effect.andThen(writer.write(Table.batch(pages, [pageRow(`/${run}`, 1)])), writer.commit(commitOf(run, run)))
        )
        yield* Effect.scoped(load)
      }
      expect((yield* agree(lake, "pages")).metadata.snapshots).toHaveLength(3)

      yield* TestClock.setTime(Date.now() + 60 * 60_000)
      yield* sink.vacuum?.(directory, { retain: 0, dryRun: false }) ?? Effect.die("none")
      const { metadata, objects } = yield* agree(lake, "pages")
      expect(metadata.snapshots.map((snapshot) => snapshot["snapshot-id"])).toEqual([3])
      expect(objects.filter((path) => path.endsWith(".parquet"))).toHaveLength(1)
      expect((yield* readTable(lake, pages)).map((row) => row["url"])).toEqual(["/three"])
    }).pipe(Effect.provide(stores()))
  )

  const crashLake = fresh()
  if (s3 !== undefined) process.env["MILLRACE_TEST_S3_URL"] = s3.url
  process.env["MILLRACE_TEST_S3_LAKE"] = crashLake
  CrashSuite.suite("parquet on s3", {
    script: fileURLToPath(new URL("crashing.ts", import.meta.url)),
    destination: () => parquet.with({ path: crashLake, iceberg: true }),
    // Each Delta log and each Iceberg table shows the files of the manifest, whatever the kill left out of it.
    read: (_directory, table) =>
      Effect.tap(readTable(crashLake, table), (rows) =>
        rows.length === 0 ? Effect.void : agree(crashLake, table.name)
      ),
    layer: stores(),
    kills: timesOf(1, 2, 40)
  })

  it("a pipeline file loads a site into a bucket, with its secrets from the environment", () =>
    inFolder(async (folder) => {
      const url = fresh()
      const site = { "/": page("home", "/a", "/b"), "/a": page("a"), "/b": page("b") }
      process.env["MILLRACE_SECRET_LAKE_KEY"] = "test"
      process.env["MILLRACE_SECRET_LAKE_SECRET"] = "testsecret"
      const file = write(
        folder,
        "site.yaml",
        "source: { type: crawl, url: http://site.test/ }",
        "sinks:",
        "  lake:",
        "    type: parquet",
        `    path: ${url}`,
        `    storage: { endpoint: "${s3?.url}", access_key: "\${secrets.LAKE_KEY}", secret_key: "\${secrets.LAKE_SECRET}" }`
      )
      const run = () =>
        Effect.runPromise(
          Effect.scoped(
            Effect.flatMap(scriptedSite(site), ({ port }) =>
              Effect.promise(
                () => start(folder, "run", file, "--json", "--resolve", `site.test=127.0.0.1:${port}`).ended
              )
            )
          )
        )
      const first = await run()
      const second = await run()
      const manifest = Option.getOrThrow(await Effect.runPromise(Effect.flatMap(store.open(url, access), readManifest)))

      expect([first.code, second.code]).toEqual([0, 0])
      expect(JSON.parse(first.stdout)).toMatchObject({ status: "done", sinks: { lake: { location: url } } })
      expect([manifest.version, manifest.tables["pages"]?.rows]).toEqual([2, 6])
      expect(first.stdout + first.stderr).not.toContain("testsecret")
    }))

  it.live("a large file goes up in parts and comes back equal", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const lake = yield* store.open(fresh(), access)
      const bytes = Buffer.alloc(40 * 1024 * 1024, "a part of a larger whole ")
      yield* Effect.promise(() => Fs.writeFile(join(directory, "large"), bytes))

      yield* lake.putFile("large", join(directory, "large"))

      expect(Buffer.compare(Option.getOrThrow(yield* lake.get("large")), bytes)).toBe(0)
      expect(yield* Effect.promise(() => Fs.readdir(directory))).toEqual([])
    })
  )

  it.live("a file whose bytes break off is asked for again, and is there whole", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const [url, local] = [fresh(), join(directory, "large")]
      const bytes = Buffer.alloc(5 * 1024 * 1024, "a part of a larger whole ")
      yield* Effect.flatMap(store.open(url, access), (lake) => lake.put("large", bytes))
      const server = yield* Effect.acquireRelease(
        Effect.promise(() => faultyServer(s3?.url ?? "", "cut", 1)),
        (server) => Effect.sync(server.stop)
      )
      const lake = yield* store.open(url, accessTo(server.url))

      expect(yield* lake.getFile("large", local)).toBe(true)

      expect(Buffer.compare(yield* Effect.promise(() => Fs.readFile(local)), bytes)).toBe(0)
      expect(server.requests()).toBe(2)
      expect(yield* Effect.promise(() => Fs.readdir(directory))).toEqual(["large"])
    })
  )

  it.live("a page that a proxy answers with 200 is neither a put nor a list without objects", () =>
    Effect.gen(function* () {
      const local = join(yield* folder, "small")
      yield* Effect.promise(() => Fs.writeFile(local, "small"))
      const bytes = new Uint8Array([1])
      const calls: ReadonlyArray<
        (lake: ObjectStore.ObjectStore) => Effect.Effect<unknown, ObjectStore.ObjectStoreError>
      > = [
        (lake) => lake.put("a", bytes),
        (lake) => lake.putIfAbsent("a", bytes),
        // Before it puts a file, it looks for uploads that nobody is at.
        (lake) => Effect.flatMap(lake.list("none"), () => lake.putFile("a", local)),
        (lake) => lake.list("")
      ]
      for (const [at, call] of calls.entries()) {
        const server = yield* Effect.acquireRelease(
          Effect.promise(() => faultyServer(s3?.url ?? "", "page", at === 2 ? 3 : 1)),
          (server) => Effect.sync(server.stop)
        )
        const lake = yield* store.open(fresh(), accessTo(server.url))

        expect((yield* Effect.flip(call(lake))).message).toContain(`what answered at ${server.url} is not an S3 server`)
      }
      expect(yield* Effect.promise(() => Fs.readFile(local, "utf8"))).toBe("small")
    })
  )

  it.live("an upload that is interrupted leaves no object, and the file where it was", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const lake = yield* store.open(fresh(), access)
      yield* Effect.promise(() => Fs.writeFile(join(directory, "large"), Buffer.alloc(64 * 1024 * 1024)))
      const putting = yield* Effect.forkChild(lake.putFile("large", join(directory, "large")), {
        startImmediately: true
      })
      yield* Effect.yieldNow
      yield* Fiber.interrupt(putting)

      expect(yield* lake.list("")).toEqual([])
      expect(yield* Effect.promise(() => Fs.readdir(directory))).toEqual(["large"])
    })
  )

  it.live("what a younger upload has sent is left alone", () =>
    Effect.gen(function* () {
      const url = fresh()
      const lake = yield* store.open(url, access)
      const target = { Bucket: bucket, Key: `${url.split("/").at(-1)}/other` }
      const uploads = yield* Effect.promise(async () => {
        const started = await s3?.client.send(new CreateMultipartUploadCommand(target))
        await s3?.client.send(
          new UploadPartCommand({ ...target, UploadId: started?.UploadId, PartNumber: 1, Body: "part" })
        )
        return () => s3?.client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: target.Key }))
      })
      const directory = yield* folder
      yield* Effect.promise(() => Fs.writeFile(join(directory, "small"), "small"))
      yield* lake.putFile("small", join(directory, "small"))

      expect((yield* Effect.promise(async () => uploads()))?.Uploads).toHaveLength(1)

      // Until its own object is removed: then nobody is to end it.
      yield* lake.remove("othe")
      expect((yield* Effect.promise(async () => uploads()))?.Uploads).toHaveLength(1)
      yield* lake.remove("other")
      expect((yield* Effect.promise(async () => uploads()))?.Uploads ?? []).toEqual([])
    })
  )

  it.live("says what is wrong: no bucket, wrong credentials, no server", () =>
    Effect.gen(function* () {
      const told = (url: string, how: ObjectStore.Access) =>
        Effect.flatMap(store.open(url, how), (lake) => Effect.flip(lake.put("a", new Uint8Array([1]))))
      const noBucket = yield* told("s3://no-such-bucket-here/x", access)
      const refused = yield* told(fresh(), { ...access, secret_key: Redacted.make("wrong") })
      const unreachable = yield* told(fresh(), { ...access, endpoint: "http://127.0.0.1:1" })

      expect(noBucket.message).toContain("the bucket no-such-bucket-here does not exist at http://127.0.0.1:")
      expect(refused.message).toContain("does not accept these credentials")
      expect(unreachable.message).toBe(`cannot put a in s3://${bucket}: http://127.0.0.1:1 cannot be reached`)
      expect([noBucket.retryable, refused.retryable]).toEqual([false, false])
    })
  )

  it.live("an object below a prefix is where every other tool finds it", () =>
    Effect.gen(function* () {
      const url = fresh()
      const lake = yield* store.open(`${url}/deep/`, access)
      yield* lake.put("a=1/b c.json", new TextEncoder().encode("{}"))
      const Key = `${url.split("/").at(-1)}/deep/a=1/b c.json`
      const head = yield* Effect.promise(async () => s3?.client.send(new HeadObjectCommand({ Bucket: bucket, Key })))

      expect(head?.ContentLength).toBe(2)
      expect(lake.location).toBe(`${url}/deep`)
    })
  )
})

describe("the S3 store", () => {
  it.effect("refuses what is no place in S3, and half of a key", () =>
    Effect.gen(function* () {
      for (const url of ["s3://", "s3://bucket/a//b", "s3://bucket/../x", "s3://bucket/x?y"]) {
        expect((yield* Effect.flip(store.open(url))).message).toBe(
          `${url} is not an S3 location: write s3://bucket or s3://bucket/some/prefix`
        )
      }
      for (const [url, bucket] of [
        ["s3://Up_Case/x", "Up_Case"],
        ["s3://a", "a"],
        ["s3://b/x", "b"]
      ] as const) {
        expect((yield* Effect.flip(store.open(url))).message).toBe(
          `${url}: "${bucket}" cannot be the name of a bucket: it has 3 to 63 lower-case letters, digits, dots and dashes`
        )
      }
      const half = yield* Effect.flip(store.open("s3://bucket/x", { access_key: Redacted.make("only") }))
      expect(half.message).toContain("one of access_key and secret_key")
    })
  )

  it.effect("refuses a server that does not keep two writers apart", () =>
    Effect.gen(function* () {
      for (const endpoint of ["https://storage.googleapis.com", "https://lake.storage.googleapis.com/"]) {
        const error = yield* Effect.flip(store.open("s3://lake/pages", { endpoint }))
        expect(error.message).toContain("takes If-None-Match for reading alone")
      }
      expect((yield* store.open("s3://lake/pages", { endpoint: "https://storage.example.com" })).location).toBe(
        "s3://lake/pages"
      )
    })
  )

  it("cuts a file of any size into parts that the protocol takes", () => {
    const megabyte = 1024 * 1024
    for (const size of [17 * megabyte, 200 * 1024 * megabyte, 5 * 1024 * 1024 * megabyte]) {
      expect(Math.ceil(size / Upload.partSizeOf(size))).toBeLessThanOrEqual(10_000)
      expect(Upload.partSizeOf(size)).toBeLessThanOrEqual(5 * 1024 * megabyte)
    }
  })
})
