import type { Block } from '../BlockStore.ts'
import * as SimulatedChain from './SimulatedChain.ts'

/**
 * What a hostile node does. Nodes that vote answer votes and polls for the fork.
 * - `silent`: never answers. `empty`: answers without containers. `withholds`: answers votes, but no containers.
 * - `garbage`, `truncated`: bytes that are no container. `shuffled`: the right containers in a wrong order.
 * - `unsigned`: a container without the field of its signature, whose hash is the right id.
 * - `unasked`: containers of another request. `gap`: one container is left out. `duplicate`: one is there twice.
 * - `resigned`: the right containers with other signatures. `fork`: valid blocks of another fork.
 * - `many`: more containers than allowed. `huge`: megabytes of nothing.
 * - `trickle`: one container at a time. `slow`: answers just before the deadline.
 * - `malformed`, `throws`, `disconnects`: outcomes of the transport.
 * - `boasts`: claims an accepted block at a height that does not exist, and to have accepted everything.
 */
export const HOSTILE = [
  'silent',
  'empty',
  'withholds',
  'garbage',
  'truncated',
  'unsigned',
  'shuffled',
  'unasked',
  'gap',
  'duplicate',
  'resigned',
  'fork',
  'many',
  'huge',
  'trickle',
  'slow',
  'malformed',
  'throws',
  'disconnects',
  'boasts',
] as const

/** A kind of misconduct. */
export type Hostile = (typeof HOSTILE)[number]

const HUGE = [new Uint8Array(3 << 20)]
const MANY = Array.from({ length: 2_001 }, () => Uint8Array.of(1))

/** Returns the containers that a hostile node answers instead of `right`. */
export function containers(
  kind: Hostile,
  right: readonly Uint8Array[],
  forked: readonly Block[],
  random: () => number,
): readonly Uint8Array[] {
  const at = Math.floor(random() * right.length)
  const bytes = right[at]
  switch (kind) {
    case 'empty':
    case 'withholds':
      return []
    case 'huge':
      return HUGE
    case 'many':
      return MANY
    case 'garbage':
      return right.map(() => new Uint8Array(50).map(() => Math.floor(random() * 256)))
    case 'unasked':
    case 'fork': {
      const first = Math.max(0, forked.length - 1 - Math.floor(random() * 20))
      return forked
        .slice(Math.max(0, first - 20), first + 1)
        .reverse()
        .map((block) => block.bytes)
    }
    case 'trickle':
      return right.slice(0, 1)
    case 'slow':
    case 'boasts':
      return right
  }
  if (bytes === undefined) return []
  switch (kind) {
    case 'truncated':
      return right.with(at, bytes.subarray(0, Math.floor(random() * bytes.length)))
    case 'unsigned':
      return right.with(at, SimulatedChain.withoutSignature(bytes) ?? bytes)
    case 'shuffled':
      return random() < 0.5 ? right.toReversed() : [...right.slice(0, at), ...right.slice(at + 1), bytes]
    case 'gap':
      return right.toSpliced(at, 1)
    case 'duplicate':
      return right.toSpliced(at, 0, bytes)
    case 'resigned':
      return right.map((one, i) => (i >= at && SimulatedChain.resign(one, random)) || one)
    default:
      return right
  }
}
