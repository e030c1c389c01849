/**
 * The first module of the library: on a Node that is too old it says so in one line. It uses what Node 18 has, and imports
 * nothing.
 */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)

if (major < 22 || (major === 22 && minor < 19)) {
  throw new Error(`millrace needs Node 22.19 or newer; this is ${process.versions.node}: install a newer one`)
}
