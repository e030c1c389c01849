/**
 * An object store that is a folder.
 *
 * The law: an object gets its name when its bytes are on the disk, and not before. Bytes go to a file under `.partial/`,
 * are synced, and are then renamed (put) or linked (putIfAbsent: the system refuses a name that is taken); last, the
 * folder that holds the name is synced. What a killed process left under `.partial/` is removed by a later put.
 */
import { randomUUID } from "node:crypto"
import { constants, type Dirent, statSync } from "node:fs"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { setImmediate } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ObjectStore from "../../src/pipeline/ObjectStore.ts"
import { systemCode, systemReason } from "../../src/text/systemReason.ts"
import { folderFault } from "./folder/folderFault.ts"

/** Opens the folder that a file: URL or an absolute path names. It is made when something is put. Fails where a file is. */
export const open = (url: string): Effect.Effect<ObjectStore.ObjectStore, ObjectStore.ObjectStoreError> =>
  Effect.suspend(() => {
    const folder = url.startsWith("file:") ? fileURLToPath(url) : Path.resolve(url)
    const message = folderFault(folder)
    if (message === undefined) return Effect.succeed(make(folder))
    return Effect.fail(new ObjectStore.ObjectStoreError({ store: "file", path: folder, message, retryable: false }))
  })

const make = (root: string): ObjectStore.ObjectStore => {
  const partials = Path.join(root, partialFolder)
  let isTidy = false

  /** Runs with a name for bytes that are not an object yet; whatever happens, the name is gone after. */
  const withPartial = async <A>(use: (partial: string) => Promise<A>): Promise<A> => {
    await Fs.mkdir(partials, { recursive: true })
    // A folder that somebody else has made may have a link there, to files that are not ours to remove.
    if (!isTidy && (await Fs.lstat(partials)).isDirectory()) await removeStale(partials)
    isTidy = true
    const partial = Path.join(partials, randomUUID())
    try {
      return await use(partial)
    } finally {
      await Fs.rm(partial, { force: true })
    }
  }

  const fileOf = (path: string): string => {
    const parts = path.split("/")
    if (ObjectStore.isOddPath(path) || parts[0] === partialFolder) throw new Error(ObjectStore.oddPath)
    return Path.join(root, ...parts)
  }

  return {
    location: root,
    putFile: (path, localFile) =>
      attempt(path, "put", async () => {
        const file = fileOf(path)
        await sync(localFile)
        await Fs.mkdir(Path.dirname(file), { recursive: true })
        try {
          await Fs.rename(localFile, file)
        } catch (cause) {
          if (systemCode(cause) !== "EXDEV") throw cause
          await withPartial(async (partial) => {
            await Fs.copyFile(localFile, partial, constants.COPYFILE_FICLONE)
            await sync(partial)
            await Fs.rename(partial, file)
          })
          await Fs.rm(localFile, { force: true })
        }
        await syncFolders(root, file)
      }),
    put: (path, bytes) =>
      attempt(path, "put", async () => {
        const file = fileOf(path)
        await Fs.mkdir(Path.dirname(file), { recursive: true })
        await withPartial(async (partial) => {
          await Fs.writeFile(partial, bytes, { flush: true })
          await Fs.rename(partial, file)
        })
        await syncFolders(root, file)
      }),
    putIfAbsent: (path, bytes) =>
      attempt(path, "put", async () => {
        const file = fileOf(path)
        await Fs.mkdir(Path.dirname(file), { recursive: true })
        const put = await withPartial(async (partial) => {
          await Fs.writeFile(partial, bytes, { flush: true })
          return unless(["EEXIST"], () => Fs.link(partial, file))
        })
        if (put) await syncFolders(root, file)
        return put
      }),
    get: (path) =>
      attempt(path, "read", async () => {
        const file = fileOf(path)
        let bytes: Uint8Array | undefined
        const there = await unless(absent, async () => {
          bytes = await Fs.readFile(file)
        })
        return there ? Option.fromUndefinedOr(bytes) : Option.none()
      }),
    getEnd: (path, bytes) =>
      attempt(path, "read", async () => {
        let end: Uint8Array | undefined
        const there = await unless(absent, async () => {
          end = await endOf(fileOf(path), bytes)
        })
        return there ? Option.fromUndefinedOr(end) : Option.none()
      }),
    getFile: (path, localFile) =>
      attempt(path, "read", async () => {
        const file = fileOf(path)
        const there = await unless(absent, async () => {
          if (!(await Fs.stat(file)).isFile()) throw Object.assign(new Error("it is not a file"), { code: "EISDIR" })
        })
        if (!there) return false
        await Fs.rm(localFile, { force: true })
        // An object is replaced by another of its name and never changed, so a second name for it costs nothing.
        if (!(await unless(unlinkable, () => Fs.link(file, localFile)))) {
          await Fs.copyFile(file, localFile, constants.COPYFILE_FICLONE)
        }
        return true
      }),
    list: (prefix) => attempt(prefix, "list", () => list(root, prefix)),
    remove: (path) =>
      attempt(path, "remove", async () => {
        await unless(absent, () => Fs.rm(fileOf(path)))
      })
  }
}

const partialFolder = ".partial"

/** Removes what killed processes left half-written: bytes that nobody has added to for an hour. */
const removeStale = async (partials: string): Promise<void> => {
  const before = Date.now() - 3_600_000
  for (const name of await Fs.readdir(partials)) {
    const partial = Path.join(partials, name)
    // Another process may remove it, or end it, at the same time.
    await unless(absent, async () => {
      if ((await Fs.stat(partial)).mtimeMs < before) await Fs.rm(partial)
    })
  }
}

/** How many files are looked at before others get their turn: a look takes less than the way to another thread. */
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
      // Another process may remove it between the listing and the look.
      const there = statSync(file, { throwIfNoEntry: false })
      if (there !== undefined) objects.push({ path, bytes: there.size, modifiedAt: there.mtimeMs })
    }
  })
  return objects.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** All that lies below a prefix. Folders whose names do not begin with it are not gone through. */
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

/** Makes bytes outlive a power cut. */
const sync = async (path: string): Promise<void> => {
  const handle = await Fs.open(path, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Syncs the folders from the object's up to the root, whose entries the put may have made. */
const syncFolders = async (root: string, file: string): Promise<void> => {
  for (let folder = Path.dirname(file); ; folder = Path.dirname(folder)) {
    await sync(folder)
    if (folder === root || folder === Path.dirname(folder)) return
  }
}

/** How the system says that there is no file of a name: nothing, a folder, or a file where a folder should be. */
const absent = ["ENOENT", "EISDIR", "ERR_FS_EISDIR", "ENOTDIR"]

/** How the system says that it gives no second name: another device, a file system without, somebody else's file. */
const unlinkable = ["EXDEV", "EPERM", "ENOTSUP", "EOPNOTSUPP", "EMLINK"]

/** Whether it ran; false where it failed with one of these codes. */
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

/** What may pass by itself: too many open files, a file busy, a network share away. */
const transient = new Set(["EMFILE", "ENFILE", "EBUSY", "EAGAIN", "ETIMEDOUT", "ESTALE"])
