/** Why a file operation failed, in words and with the code of the system; for rare codes, the message of the system. */
export const systemReason = (cause: unknown): string => {
  const code = systemCode(cause)
  const words = code === undefined ? undefined : reasons[code]
  if (words !== undefined) return `${words} (${code})`
  return cause instanceof Error ? cause.message : String(cause)
}

/** The code of a system error, such as ENOSPC; undefined: it is not a system error. */
export const systemCode = (cause: unknown): string | undefined =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : undefined

/** The same for a message that ends with the words of the system; undefined: it does not. */
export const spokenReason = (message: string): string | undefined => {
  const [, code] = Object.entries(spoken).find(([words]) => message.endsWith(words)) ?? []
  return code === undefined ? undefined : `${reasons[code]} (${code})`
}

const spoken: Readonly<Record<string, string>> = {
  "Permission denied": "EACCES",
  "Operation not permitted": "EPERM",
  "Read-only file system": "EROFS",
  "Not a directory": "ENOTDIR",
  "No space left on device": "ENOSPC",
  "Disk quota exceeded": "EDQUOT",
  "Too many open files": "EMFILE"
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "the user of this process has no permission there",
  EPERM: "the user of this process has no permission there",
  EROFS: "its disk can only be read",
  ENOTDIR: "a part of its path is a file, not a folder",
  ENOSPC: "the disk is full; make room, then run again",
  EDQUOT: "the disk quota is used up; make room, then run again",
  EMFILE: "this process has no file descriptors left; raise its limit (ulimit -n)"
}
