import { Bytes, Hex } from '@firn/codec'
import { Vertex } from '@firn/txs'

/** Vertices from the first to the stop vertex, ascending by height and then by id. */
export interface Dag {
  readonly vertices: readonly Uint8Array[]
  readonly stopId: Uint8Array
}

type Built = { readonly id: Uint8Array; readonly bytes: Uint8Array; readonly height: bigint }

/**
 * Packs transactions into vertices: in any order, some in several vertices, with up to three parents each. For tests
 * only.
 * @param random returns numbers in [0, 1)
 */
export function pack(chainId: Uint8Array, txs: readonly Uint8Array[], random: () => number): Dag {
  const below = (limit: number) => Math.floor(random() * limit)
  const pick = <T>(items: readonly T[]) => items[below(items.length)]
  const left = shuffle(txs, below)
  const placed: Uint8Array[] = []
  const built: Built[] = []
  const childless = new Map<string, Built>()
  while (left.length > 0) {
    const taken = left.splice(0, 1 + below(3))
    const again = random() < 0.4 ? pick(placed) : undefined
    const parents = new Set(
      Array.from({ length: below(4) }, () => pick(built.slice(-8))).filter((v) => v !== undefined),
    )
    const parentIds = [...parents].map(({ id }) => id)
    const height = [...parents].reduce(
      (most, parent) => (parent.height >= most ? parent.height + 1n : most),
      0n,
    )
    const bytes = Vertex.encode(
      Vertex.build({
        chainID: chainId,
        height,
        parentIDs: parentIds,
        txs: again === undefined ? taken : [...taken, again],
      }),
    )
    const vertex = { id: Vertex.id(bytes), bytes, height }
    placed.push(...taken)
    built.push(vertex)
    for (const { id } of parents) childless.delete(Hex.encodeBare(id))
    childless.set(Hex.encodeBare(vertex.id), vertex)
  }
  const parentIds = [...childless.values()].map(({ id }) => id)
  const height = built.reduce((most, one) => (one.height >= most ? one.height + 1n : most), 0n)
  const stop = Vertex.encode(Vertex.buildStop({ chainID: chainId, height, parentIDs: parentIds }))
  const ordered = built.toSorted((a, b) => Number(a.height - b.height) || Bytes.compare(a.id, b.id))
  return { vertices: [...ordered.map(({ bytes }) => bytes), stop], stopId: Vertex.id(stop) }
}

/** Returns a generator of numbers in [0, 1) that depend only on the seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function shuffle<T>(items: readonly T[], below: (limit: number) => number): T[] {
  const shuffled: T[] = []
  for (const item of items) shuffled.splice(below(shuffled.length + 1), 0, item)
  return shuffled
}
