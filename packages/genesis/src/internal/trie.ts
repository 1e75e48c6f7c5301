import { Bytes } from '@firn/codec'
import { Rlp } from '@firn/txs'
import { keccak_256 } from '@noble/hashes/sha3.js'

/** A key and its value in a secure Merkle-Patricia trie. */
export interface Entry {
  /** Key before hashing. The trie contains the hash of the key. */
  readonly key: Uint8Array
  readonly value: Uint8Array
}

interface Leaf {
  readonly nibbles: Uint8Array
  readonly value: Uint8Array
}

const EMPTY = new Uint8Array(0)
const BRANCHES = 16
const HASH_LENGTH = 32

/** Root of an empty trie, the hash of the RLP of an empty string. */
export const EMPTY_ROOT: Uint8Array = keccak_256(Rlp.encode(EMPTY))

/** Returns the root of a trie. The keys of the entries must be unique. */
export function root(entries: readonly Entry[]): Uint8Array {
  if (entries.length === 0) return EMPTY_ROOT
  const leaves = entries.map(({ key, value }) => ({ nibbles: nibblesOf(keccak_256(key)), value }))
  return keccak_256(
    Rlp.encode(
      node(
        leaves.sort((a, b) => Bytes.compare(a.nibbles, b.nibbles)),
        0,
      ),
    ),
  )
}

/**
 * Returns the trie node for sorted leaves whose keys are equal up to `depth`. The recursion has at most 64
 * levels, because keys are hashes.
 */
function node(leaves: readonly Leaf[], depth: number): Rlp.Value {
  const [first, last] = [leaves[0] as Leaf, leaves[leaves.length - 1] as Leaf]
  if (leaves.length === 1) return [compact(first.nibbles.subarray(depth), true), first.value]
  let end = depth
  while (first.nibbles[end] === last.nibbles[end]) end++
  if (end > depth) return [compact(first.nibbles.subarray(depth, end), false), reference(node(leaves, end))]
  const branch: Rlp.Value[] = []
  for (let nibble = 0; nibble < BRANCHES; nibble++) {
    const below = leaves.filter(({ nibbles }) => nibbles[depth] === nibble)
    branch.push(below.length === 0 ? EMPTY : reference(node(below, depth + 1)))
  }
  return [...branch, EMPTY]
}

/** Returns how a node is stored inside its parent: the node itself if it is short, otherwise its hash. */
function reference(item: Rlp.Value): Rlp.Value {
  const encoded = Rlp.encode(item)
  return encoded.length < HASH_LENGTH ? item : keccak_256(encoded)
}

/**
 * Encodes part of a key with the hex prefix, which stores whether its length is odd and whether it ends at a
 * leaf.
 */
function compact(nibbles: Uint8Array, isLeaf: boolean): Uint8Array {
  const isOdd = nibbles.length % 2
  const flag = (isLeaf ? 2 : 0) + isOdd
  const padded = isOdd === 1 ? [flag, ...nibbles] : [flag, 0, ...nibbles]
  return Uint8Array.from({ length: padded.length / 2 }, (_, i) => {
    return ((padded[2 * i] as number) << 4) | (padded[2 * i + 1] as number)
  })
}

function nibblesOf(bytes: Uint8Array): Uint8Array {
  const nibbles = new Uint8Array(bytes.length * 2)
  bytes.forEach((byte, i) => {
    nibbles[2 * i] = byte >> 4
    nibbles[2 * i + 1] = byte & 15
  })
  return nibbles
}
