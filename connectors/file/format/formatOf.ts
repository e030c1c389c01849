/** The format of a kind of file. Formats that need a library are loaded on first use. */
import type { FileKind, Format } from "./Format.ts"

export const formatOf = async (kind: FileKind): Promise<Format> => {
  switch (kind.format) {
    case "jsonl":
      return (await import("./jsonl.ts")).jsonl
    case "csv":
      return (await import("./csv.ts")).csv(kind)
    case "arrow":
      return (await import("./arrow.ts")).arrow
    case "parquet":
      return (await import("./parquet.ts")).parquet
  }
}
