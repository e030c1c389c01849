/**
 * An object store that is a folder.
 *
 * Guarantee: an object gets its name only when its bytes are on the disk. Bytes are written to a file under `.partial/`,
 * synced, and then renamed (put) or linked (putIfAbsent: the system refuses a name that is taken); last, the folder with the
 * name is synced. A later put removes what a killed process left under `.partial/`.
 */
import { randomUUID } from "node:crypto"
import { constants, type Dirent, readFileSync, statSync } from "node:fs"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { setImmediate } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Durable from "#base/Durable"
import { systemCode, systemReason } from "#base/systemReason"
import * as ObjectStore from "#engine/ObjectStore"
import { folderFault } from "./folder/folderFault.ts"

/** Opens the folder of a file: URL or an absolute path. It is created at the first put. It fails if the path is a file. */
export const open = (url: string): Effect.Effect<ObjectStore.ObjectStore, ObjectStore.ObjectStoreError> =>
  Effect.suspend(() => {
    const folder = url.startsWith("file:") ? fileURLToPath(url) : Path.resolve(url)
    const message = folderFault(folder)
    if (message === undefined) return Effect.succeed(make(folder))
    return Effect.fail(new ObjectStore.ObjectStoreError({ store: "file", path: folder, message, retryable: false }))
  })

const make = (root: string): ObjectStore.ObjectStore => {
  const withPartial = partialsIn(Path.join(root, partialFolder))
  const withFile = <A>(path: string, verb: string, use: (file: string) => Promise<A>) =>
    attempt(path, verb, async () => use(fileOf(root, path)))

  return {
    location: root,
    putFile: (path, localFile) =>
      withFile(path, "put", async (file) => {
        await Durable.sync(localFile)
        await Fs.mkdir(Path.dirname(file), { recursive: true })
        try {
          await Fs.rename(localFile, file)
        } catch (cause) {
          if (systemCode(cause) !== "EXDEV") throw cause
          await withPartial(async (partial) => {
            await Fs.copyFile(localFile, partial, constants.COPYFILE_FICLONE)
            await Durable.sync(partial)
            await Fs.rename(partial, file)
          })
          await Fs.rm(localFile, { force: true })
        }
        await syncFolders(root, file)
      }),
    put: (path, bytes) =>
      withFile(path, "put", async (file) => {
        await Fs.mkdir(Path.dirname(file), { recursive: true })
        await withPartial(async (partial) => {
          await Fs.writeFile(partial, bytes, { flush: true })
          await Fs.rename(partial, file)
        })
        await syncFolders(root, file)
      }),
    putIfAbsent: (path, bytes) =>
      withFile(path, "put", async (file) => {
        await Fs.mkdir(Path.dirname(file), { recursive: true })
        const put = await withPartial(async (partial) => {
          await Fs.writeFile(partial, bytes, { flush: true })
          return unless(["EEXIST"], () => Fs.link(partial, file))
        })
        if (put) await syncFolders(root, file)
        return put
      }),
    get: (path) => withFile(path, "read", (file) => ifThere(() => bytesOf(file))),
    getEnd: (path, bytes) => withFile(path, "read", (file) => ifThere(() => endOf(file, bytes))),
    getFile: (path, localFile) => withFile(path, "read", (file) => copyTo(localFile, file)),
    list: (prefix) => attempt(prefix, "list", () => list(root, prefix)),
    remove: (path) =>
      withFile(path, "remove", async (file) => {
        await unless(absent, () => Fs.rm(file))
      })
  }
}

/** Makes the function that runs `use` with a path for bytes that are not an object yet. The path is removed afterwards in any case. */
const partialsIn = (partials: string) => {
  let isTidy = false
  return async <A>(use: (partial: string) => Promise<A>): Promise<A> => {
    await Fs.mkdir(partials, { recursive: true })
    // If `.partial` is a link, it may lead to files of others, which must not be removed.
    if (!isTidy && (await Fs.lstat(partials)).isDirectory()) await removeStale(partials)
    isTidy = true
    const partial = Path.join(partials, randomUUID())
    try {
      return await use(partial)
    } finally {
      await Fs.rm(partial, { force: true })
    }
  }
}

const fileOf = (root: string, path: string): string => {
  const parts = path.split("/")
  if (ObjectStore.isOddPath(path) || parts[0] === partialFolder) throw new Error(ObjectStore.oddPath)
  return Path.join(root, ...parts)
}

const ifThere = async (read: () => Promise<Uint8Array>): Promise<Option.Option<Uint8Array>> => {
  let bytes: Uint8Array | undefined
  const there = await unless(absent, async () => {
    bytes = await read()
  })
  return there ? Option.fromUndefinedOr(bytes) : Option.none()
}

/** A small file is read at once: four calls through another thread take ten times as long, and a lake has many small files. */
const bytesOf = async (file: string): Promise<Uint8Array> =>
  statSync(file).size <= small ? readFileSync(file) : Fs.readFile(file)

const small = 64 * 1024

/** Gives the object in a file another name. False: there is none. */
const copyTo = async (localFile: string, file: string): Promise<boolean> => {
  const there = await unless(absent, async () => {
    if (!(await Fs.stat(file)).isFile()) throw Object.assign(new Error("it is not a file"), { code: "EISDIR" })
  })
  if (!there) return false
  await Fs.rm(localFile, { force: true })
  // The file of an object is never changed, only replaced, so a hard link is enough.
  if (!(await unless(unlinkable, () => Fs.link(file, localFile)))) {
    await Fs.copyFile(file, localFile, constants.COPYFILE_FICLONE)
  }
  return true
}

const partialFolder = ".partial"

/** Removes partial files of killed processes: files that were not changed for an hour. */
const removeStale = async (partials: string): Promise<void> => {
  const before = Date.now() - 3_600_000
  for (const name of await Fs.readdir(partials)) {
    const partial = Path.join(partials, name)
    // Another process may remove or rename it at the same time.
    await unless(absent, async () => {
      if ((await Fs.stat(partial)).mtimeMs < before) await Fs.rm(partial)
    })
  }
}

/** How many files are checked before other work gets its turn. A synchronous call is faster than one in another thread. */
const together = 256

const list = async (root: string, prefix: string): Promise<ReadonlyArray<ObjectStore.ObjectInfo>> => {
  const objects: Array<ObjectStore.ObjectInfo> = []
  await unless(absent, async () => {
    const entries = await entriesOf(root, prefix)
    for (const [at, entry] of entries.entries()) {
      if (at % together === together - 1) await setImmediate()
      const file = Path.join(entry.parentPath, entry.name)
      const path = Path.relative(root, file).split(Path.sep).join("/")
      if (!entry.isFile() || !path.startsWith(prefix) || path.startsWith(`${partialFolder}/`)) continue
      // Another process may remove it after the listing.
      const there = statSync(file, { throwIfNoEntry: false })
      if (there !== undefined) objects.push({ path, bytes: there.size, modifiedAt: there.mtimeMs })
    }
  })
  return objects.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** All entries below a prefix. Folders whose names do not begin with it are skipped. */
const entriesOf = async (root: string, prefix: string): Promise<ReadonlyArray<Dirent>> => {
  const at = prefix.lastIndexOf("/") + 1
  const [folder, begin] = [Path.join(root, prefix.slice(0, at)), prefix.slice(at)]
  if (begin === "") return Fs.readdir(folder, { recursive: true, withFileTypes: true })
  const found: Array<Dirent> = []
  for (const entry of await Fs.readdir(folder, { withFileTypes: true })) {
    if (!entry.name.startsWith(begin)) continue
    found.push(entry)
    if (!entry.isDirectory()) continue
    await unless(absent, async () => {
      for (const below of await Fs.readdir(Path.join(folder, entry.name), { recursive: true, withFileTypes: true }))
        found.push(below)
    })
  }
  return found
}

const endOf = async (file: string, bytes: number): Promise<Uint8Array> => {
  const handle = await Fs.open(file, "r")
  try {
    const { size } = await handle.stat()
    const end = Buffer.alloc(Math.min(size, bytes))
    const { bytesRead } = await handle.read(end, 0, end.length, size - end.length)
    return end.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Syncs the folders from the object's up to the root, because the put may have created them. */
const syncFolders = async (root: string, file: string): Promise<void> => {
  for (let folder = Path.dirname(file); ; folder = Path.dirname(folder)) {
    await Durable.sync(folder)
    if (folder === root || folder === Path.dirname(folder)) return
  }
}

/** The codes of the system for a path that is not a file: it is missing, a folder, or below a file. */
const absent = ["ENOENT", "EISDIR", "ERR_FS_EISDIR", "ENOTDIR"]

/** The codes of the system if a hard link is not possible: another device, no support, or a file of another user. */
const unlinkable = ["EXDEV", "EPERM", "ENOTSUP", "EOPNOTSUPP", "EMLINK"]

/** Runs a function; false: it failed with one of these codes. */
const unless = async (codes: ReadonlyArray<string>, run: () => Promise<void>): Promise<boolean> => {
  try {
    await run()
    return true
  } catch (cause) {
    if (!codes.includes(String(systemCode(cause)))) throw cause
    return false
  }
}

/** File calls cannot be stopped half-way, so an interruption waits for them. */
const attempt = <A>(path: string, verb: string, run: () => Promise<A>) =>
  Effect.uninterruptible(
    Effect.tryPromise({
      try: run,
      catch: (cause) =>
        new ObjectStore.ObjectStoreError({
          store: "file",
          path,
          message: `cannot ${verb} ${path}: ${systemReason(cause)}`,
          retryable: transient.has(String(systemCode(cause))),
          cause
        })
    })
  )

/** Errors that may pass: too many open files, a file that is busy, a network share that is not reachable. */
const transient = new Set(["EMFILE", "ENFILE", "EBUSY", "EAGAIN", "ETIMEDOUT", "ESTALE"])
