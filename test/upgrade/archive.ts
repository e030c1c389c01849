/** A folder of files as one compressed file: a JSON object of paths and contents in base64, as a zstd frame. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib"

/** Packs all files of a folder but those that `leaves` says to leave out. */
export const pack = (folder: string, file: string, leaves: (path: string) => boolean): void => {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !leaves(path))
    .sort()
  const contents = Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path)).toString("base64")]))
  const params = { [constants.ZSTD_c_compressionLevel]: 19, [constants.ZSTD_c_windowLog]: 27 }
  writeFileSync(file, zstdCompressSync(JSON.stringify(contents), { params }))
}

/** Puts the files of an archive into a folder. */
export const unpack = (file: string, folder: string): void => {
  const params = { [constants.ZSTD_d_windowLogMax]: 27 }
  const contents: Record<string, string> = JSON.parse(zstdDecompressSync(readFileSync(file), { params }).toString())
  for (const [path, content] of Object.entries(contents)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), Buffer.from(content, "base64"))
  }
}
