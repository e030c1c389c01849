/**
 * What one command costs, with all the processes that it starts.
 *
 * CPU seconds are user + system of the whole tree, children that were waited for included, as the kernel adds them up
 * when a process ends (`times` of the shell that waits for the command); memory is looked at ten times a second: the
 * peak is the largest sum over the tree, or the most that one process of it ever had, whichever is more.
 */
import { spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"

export interface Command {
  readonly words: ReadonlyArray<string>
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** Which cores it is held to, as `taskset -c` takes them. None: all. */
  readonly cores: string | undefined
  /** Ends the command and all below it. */
  readonly interrupted: AbortSignal
}

export interface Measured {
  /** Seconds. */
  readonly cpu: number
  /** Seconds. */
  readonly wall: number
  /** MB. */
  readonly rss: number
  readonly stdout: string
}

const millisPerLook = 100
const longestMillis = 20 * 60_000
const keptCharacters = 1_000_000

export const measure = ({ cores, env, folder, interrupted, words }: Command): Promise<Measured> =>
  new Promise((done, fail) => {
    interrupted.throwIfAborted()
    const held = cores === undefined ? words : ["taskset", "-c", cores, ...words]
    const began = performance.now()
    // Descriptor 3 is the shell's alone: a command that leaves a process behind must not keep us waiting for its end.
    const child = spawn("bash", ["-c", '"$@" 3>&-; code=$?; times >&3; exit $code', "bench", ...held], {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe", "pipe"],
      // A group of its own, so that all of it can be ended.
      detached: true
    })
    const output = ["", "", ""]
    for (const [at, stream] of [child.stdout, child.stderr, child.stdio[3]].entries()) {
      stream?.on("data", (chunk) => (output[at] = `${output[at]}${chunk}`.slice(-keptCharacters)))
    }
    let rss = 0
    const look = setInterval(() => (rss = Math.max(rss, memoryOf(child.pid))), millisPerLook)
    let isLate = false
    const kill = () => {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
    }
    const limit = setTimeout(() => {
      isLate = true
      kill()
    }, longestMillis)
    interrupted.addEventListener("abort", kill)
    const stop = () => {
      clearInterval(look)
      clearTimeout(limit)
      interrupted.removeEventListener("abort", kill)
    }
    child.on("error", (error) => {
      stop()
      fail(error)
    })
    child.on("close", (code) => {
      stop()
      const wall = (performance.now() - began) / 1000
      const [stdout = "", stderr = "", times = ""] = output
      if (code === 0) return done({ cpu: cpuOf(times), wall, rss, stdout })
      const how = isLate ? `had not ended after ${longestMillis / 60_000} minutes` : `ended with ${code}`
      fail(new Error(`${words.join(" ")}: ${how}: ${(stderr || stdout).trim().slice(-2000)}`))
    })
  })

/** The second line of `times` is of the children: `0m1.234s 0m0.056s`. */
const cpuOf = (times: string): number => {
  const parts = [...(times.trim().split("\n")[1] ?? "").matchAll(/(\d+)m([\d.]+)s/g)]
  return parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0)
}

/** MB of a process and all below it: what they have now, or the most that one of them ever had. */
const memoryOf = (pid: number | undefined): number => {
  let [sum, most] = [0, 0]
  const waiting = pid === undefined ? [] : [String(pid)]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    try {
      const status = readFileSync(`/proc/${next}/status`, "utf8")
      sum += kilobytes(status, "VmRSS")
      most = Math.max(most, kilobytes(status, "VmHWM"))
      for (const thread of readdirSync(`/proc/${next}/task`)) {
        waiting.push(...readFileSync(`/proc/${next}/task/${thread}/children`, "utf8").split(" ").filter(Boolean))
      }
    } catch {
      // It has ended since it was named.
    }
  }
  return Math.max(sum, most) / 1024
}

const kilobytes = (status: string, name: string): number =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0)
