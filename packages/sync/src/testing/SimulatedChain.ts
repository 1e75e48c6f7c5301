import { Bytes, Id } from '@firn/codec'
import { Container, ContainerHeader } from '@firn/txs'
import type { Block } from '../BlockStore.ts'

/** The id of the simulated chain. */
export const CHAIN_ID: Uint8Array = new Uint8Array(32).fill(7)

/** A block's place in a chain. `blocks[0]` is the genesis block. */
export interface SimulatedChain {
  readonly blocks: readonly Block[]
}

/** Options of {@link create}. */
export interface ChainOptions {
  readonly random: () => number
  readonly length: number
  /** Height of the first block with a container. */
  readonly proposervmHeight: number
}

const BANFF_STANDARD_BLOCK = 32

/** Returns a chain with blocks at heights 0 to `length`: bare ones, then containers of all types. */
export function create({ random, length, proposervmHeight }: ChainOptions): SimulatedChain {
  const blocks = [bareBlock(new Uint8Array(32), 0, random)]
  for (let height = 1; height <= length; height++) {
    blocks.push(nextBlock(blocks[height - 1] as Block, height >= proposervmHeight, random))
  }
  return { blocks }
}

/** Returns a chain that has the same blocks up to `height`, and `length` other valid ones after it. */
export function fork(
  chain: SimulatedChain,
  height: number,
  length: number,
  random: () => number,
): SimulatedChain {
  const blocks = chain.blocks.slice(0, height + 1)
  for (let i = 0; i < length; i++) {
    const isContainer = chain.blocks[height + 1 + i]?.bytes[1] === 0 && random() < 0.9
    blocks.push(nextBlock(blocks.at(-1) as Block, isContainer, random))
  }
  return { blocks }
}

function nextBlock(parent: Block, isContainer: boolean, random: () => number): Block {
  const height = Number(parent.height) + 1
  return isContainer ? containerBlock(parent, height, random) : bareBlock(parent.id, height, random)
}

function bareBlock(parentId: Uint8Array, height: number, random: () => number): Block {
  const bytes = innerBlock(parentId, height, random)
  return { height: BigInt(height), id: Id.hash(bytes), parentId, bytes }
}

/** Returns a P-chain block with a header only, and a few bytes where the transactions would be. */
function innerBlock(parentId: Uint8Array, height: number, random: () => number): Uint8Array {
  const bytes = new Uint8Array(62)
  const view = new DataView(bytes.buffer)
  view.setUint32(2, BANFF_STANDARD_BLOCK)
  view.setUint32(10, height)
  bytes.set(parentId, 14)
  view.setBigUint64(46, BigInt(height))
  view.setFloat64(54, random())
  return bytes
}

const SIGNERS = 16

function containerBlock(parent: Block, height: number, random: () => number): Block {
  const block = innerBlock(parent.id, height, random)
  const kind = random()
  if (kind < 0.1) {
    const bytes = Container.encode({ type: 'Option', parentID: parent.id, block })
    return { height: BigInt(height), id: Id.hash(bytes), parentId: parent.id, bytes }
  }
  const unsigned = {
    parentID: parent.id,
    // Cut off containers can be read as bare blocks, which then have the time as height.
    timestamp: BigInt(random() < 0.5 ? height : Math.floor(random() * 2 ** 32)),
    pChainHeight: 1n,
    certificate: kind < 0.2 ? new Uint8Array() : certificateOf(Math.floor(random() * SIGNERS)),
    block,
    signature: new Uint8Array(),
  }
  const container =
    kind < 0.6
      ? { ...unsigned, type: 'Block' as const }
      : {
          ...unsigned,
          type: 'GraniteBlock' as const,
          epoch: { pChainHeight: 1n, number: 1n, startTime: 1n },
        }
  const id = Container.id(container)
  const signature = sign(container, id)
  return {
    height: BigInt(height),
    id,
    parentId: parent.id,
    bytes: Container.encode({ ...container, signature }),
  }
}

function certificateOf(signer: number): Uint8Array {
  return new Uint8Array(20).fill(signer + 1)
}

/** A signature that is as fast as a hash. */
function sign(container: Container.SignedContainer, id: Uint8Array): Uint8Array {
  if (container.certificate.length === 0) return new Uint8Array()
  const message = ContainerHeader.encode({ chain: CHAIN_ID, parent: container.parentID, body: id })
  return Id.hash(Bytes.concat(container.certificate, message))
}

/** Returns for each block whether its container has the signature that {@link create} made. */
export function verify(blocks: readonly Block[]): readonly boolean[] {
  return blocks.map(({ bytes, id }) => {
    const opened = Container.open(bytes)
    if (opened.kind === 'preFork' || opened.container.type === 'Option') return true
    return Bytes.equals(opened.container.signature, sign(opened.container, id))
  })
}

/** Returns the container with another signature, which has the same id; or undefined if it has none. */
export function resign(bytes: Uint8Array, random: () => number): Uint8Array | undefined {
  const opened = Container.open(bytes)
  if (opened.kind === 'preFork' || opened.container.type === 'Option') return undefined
  const { container } = opened
  const length = random() < 0.3 ? 0 : container.signature.length + (random() < 0.2 ? 1 : 0)
  if (length === 0 && container.signature.length === 0) return undefined
  const signature = new Uint8Array(length).map(() => Math.floor(random() * 256))
  return Container.encode({ ...container, signature })
}

/** Returns the container without its signature and the length of it, or undefined if it has none. */
export function withoutSignature(bytes: Uint8Array): Uint8Array | undefined {
  const opened = Container.open(bytes)
  if (opened.kind === 'preFork' || opened.container.type === 'Option') return undefined
  return Container.unsignedBytes(opened.container)
}
