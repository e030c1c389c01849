/**
 * Boosted trees as a table: what `bench/mainContent/train.py` has learned, and how a row of features is scored with it.
 *
 * The table is base64 of little-endian numbers: how many groups, trees and nodes there are; then for each node its feature
 * (u16), its threshold (f32; a value up to it goes left), where left and right lead (i16; below 0 a leaf, -1 the first);
 * for each tree where its nodes and its leaves begin (u32 each); and the leaves (f32). Trees of several groups take turns.
 */
export class Trees {
  readonly groups: number
  private readonly features: Uint16Array
  private readonly thresholds: Float32Array
  private readonly lefts: Int16Array
  private readonly rights: Int16Array
  private readonly nodes: Uint32Array
  private readonly leaves: Uint32Array
  private readonly values: Float32Array

  constructor(table: string) {
    const bytes = Buffer.from(table, "base64")
    const data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
    const [groups = 1, trees = 0, nodes = 0, leaves = 0] = new Uint32Array(data, 0, 4)
    let at = 16
    const take = (size: number): number => {
      const from = at
      at += size
      return from
    }
    this.groups = groups
    this.nodes = new Uint32Array(data, take(4 * trees), trees)
    this.leaves = new Uint32Array(data, take(4 * trees), trees)
    this.values = new Float32Array(data, take(4 * leaves), leaves)
    this.thresholds = new Float32Array(data, take(4 * nodes), nodes)
    this.features = new Uint16Array(data, take(2 * nodes), nodes)
    this.lefts = new Int16Array(data, take(2 * nodes), nodes)
    this.rights = new Int16Array(data, take(2 * nodes), nodes)
  }

  /** The last feature that any tree asks for. */
  get most(): number {
    return this.features.reduce((most, feature) => Math.max(most, feature), 0)
  }

  /** The sum of what the trees of a group say of a row. */
  score(row: Float64Array, group = 0): number {
    const { features, groups, leaves, lefts, nodes, rights, thresholds, values } = this
    let sum = 0
    for (let tree = group; tree < nodes.length; tree += groups) {
      const first = nodes[tree] ?? 0
      let at = 0
      while (at >= 0) {
        const node = first + at
        at = ((row[features[node] ?? 0] ?? 0) <= (thresholds[node] ?? 0) ? lefts[node] : rights[node]) ?? -1
      }
      sum += values[(leaves[tree] ?? 0) - at - 1] ?? 0
    }
    return sum
  }
}

export const probabilityOf = (score: number): number => 1 / (1 + Math.exp(-score))
