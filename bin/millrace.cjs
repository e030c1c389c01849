#!/usr/bin/env node
// The command that npm links. It reads the syntax of Node 18, so that an old Node says what is missing.
//
// Linux: the launcher beside it finds the right Node and takes this process over, so signals, exit code and memory are those
// of one process. A Node before 22.15 cannot be taken over: it waits for its child, and hands signals on.
// Elsewhere: the command line runs in this process, with what can still be set of the launcher's flags.
"use strict"
const { existsSync } = require("node:fs")
const { join } = require("node:path")

const root = join(__dirname, "..")
const launcher = join(__dirname, "millrace")
const args = process.argv.slice(2)

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
const isNewEnough = major > 22 || (major === 22 && minor >= 19)

if (process.platform === "linux") {
  const env = isNewEnough ? { ...process.env, MILLRACE_NODE: process.execPath } : process.env
  if (process.execve === undefined) startBeside(env)
  else process.execve("/bin/sh", ["sh", launcher, ...args], env)
} else if (isNewEnough) startHere()
else {
  console.error(
    `millrace: needs Node 22.19 or newer; this is ${process.versions.node} at ${process.execPath}: install a newer one`
  )
  process.exitCode = 1
}

function startBeside(env) {
  const child = require("node:child_process").spawn("/bin/sh", [launcher, ...args], { stdio: "inherit", env })
  const { isatty } = require("node:tty")
  // A terminal sends its Ctrl-C to both.
  const isAtTerminal = isatty(0) || isatty(1) || isatty(2)
  const signals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2"]
  for (const signal of signals) {
    process.on(signal, () => {
      if (!isAtTerminal || signal === "SIGTERM" || signal === "SIGUSR2") child.kill(signal)
    })
  }
  child.on("error", (error) => {
    console.error(`millrace: ${launcher} cannot be started: ${error.message}`)
    process.exitCode = 1
  })
  child.on("exit", (code, signal) => {
    for (const name of signals) process.removeAllListeners(name)
    if (signal === null) process.exitCode = code
    else process.kill(process.pid, signal)
  })
}

function startHere() {
  const source = join(root, "src/app/main.ts")
  const main = existsSync(source) ? source : join(root, "dist/cli/main.js")
  const cache = process.env.XDG_CACHE_HOME || process.env.LOCALAPPDATA || join(require("node:os").homedir(), ".cache")
  process.env.NODE_COMPILE_CACHE = process.env.NODE_COMPILE_CACHE || join(cache, "millrace")
  require("node:module").enableCompileCache(process.env.NODE_COMPILE_CACHE)
  const isLasting = ["serve", "receive", "schedule", "explore", "mcp", "site"].includes(args[0])
  require("node:v8").setFlagsFromString(`--heap-growing-percent=${isLasting ? 40 : 100}`)
  require("node:v8").setFlagsFromString("--max-semi-space-size=16")
  const { emitWarning } = process
  process.emitWarning = (warning, ...rest) => {
    if (rest[0] !== "ExperimentalWarning") emitWarning.call(process, warning, ...rest)
  }
  import(require("node:url").pathToFileURL(main).href)
}
