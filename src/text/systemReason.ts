/** Why the system did not give a file, in words, with its code for those who look it up; what is rare, in its own words. */
export const systemReason = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : ""
  const words = reasons[code]
  return words === undefined ? cause.message : `${words} (${code})`
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
