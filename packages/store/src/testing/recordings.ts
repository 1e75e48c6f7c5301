import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type ChainAlias, Id, isFirnError } from '@firn/codec'
import { Genesis, GenesisConfig, Networks, Upgrades } from '@firn/genesis'
import { Ledger, LedgerState } from '@firn/ledger'
import { AvmBlock, Container, EvmBlock, PlatformBlock } from '@firn/txs'
import type { Accepted } from '../Accepted.ts'

/** Name of a recorded network. The chains of `eras` cross every upgrade from Apricot to Helicon. */
export type Name = 'local' | 'helicon' | 'eras'

/** An accepted block of a recording, without its changes. */
export type Recorded = Omit<Accepted, 'changes'>

/** A recorded network. For tests only. */
export interface Recording {
  readonly genesis: Genesis.Genesis
  readonly constants: Networks.Constants
  /** Blocks of each chain, starting after block 0. */
  readonly chains: Readonly<Record<ChainAlias, readonly Recorded[]>>
}

/**
 * A container in base64, its id, and the time of its acceptance. For helicon's X-chain there are only inner
 * blocks.
 */
type Stored =
  | { readonly container: string; readonly id: string; readonly at: string }
  | { readonly inner: string }

const LOADED = new Map<Name, Recording>()

/** Loads the recording in `vectors/<name>.json.gz`. For tests only. */
export function load(name: Name): Recording {
  const known = LOADED.get(name)
  if (known !== undefined) return known
  const file = new URL(`../../vectors/${name}.json.gz`, import.meta.url)
  const data = JSON.parse(gunzipSync(readFileSync(file)).toString())
  const genesis = Genesis.build(GenesisConfig.parse(data.genesis))
  const constants = Networks.of(genesis.networkId)
  const upgrades = data.upgrades === null ? constants.upgrades : Upgrades.fromJSON(data.upgrades)
  const chain = (alias: ChainAlias) =>
    data.chains[alias].map((stored: Stored) => recorded(alias, stored)) as Recorded[]
  const recording = {
    genesis,
    constants: { ...constants, upgrades },
    chains: { P: chain('P'), X: chain('X'), C: chain('C') },
  }
  LOADED.set(name, recording)
  return recording
}

function recorded(chain: ChainAlias, stored: Stored): Recorded {
  if ('inner' in stored) {
    const bytes = unpack(stored.inner)
    return { chain, bytes, parentId: parentOf(chain, bytes) }
  }
  return withContainer(chain, unpack(stored.container), stored.id, BigInt(stored.at))
}

/** Returns the block in a recorded container. For tests only. */
export function withContainer(
  chain: ChainAlias,
  container: Uint8Array,
  recordedId: string,
  acceptedAt: bigint | undefined,
): Recorded {
  const { id, block: bytes } = Container.open(container)
  if (Id.format(id) !== recordedId)
    throw new RangeError(
      `recorded container ${recordedId}: its bytes have the id ${Id.format(id)}; record it again`,
    )
  const time = acceptedAt === undefined ? {} : { acceptedAt }
  return { chain, bytes, parentId: parentOf(chain, bytes), container: { id, bytes: container, ...time } }
}

function unpack(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, 'base64'))
}

function parentOf(chain: ChainAlias, bytes: Uint8Array): Uint8Array {
  if (chain === 'P') return PlatformBlock.decode(bytes).parentID
  return chain === 'X' ? AvmBlock.decode(bytes).parentID : EvmBlock.decode(bytes).header.parentHash
}

/**
 * Yields the blocks with their changes, ordered so that every import follows its export. The chains take
 * turns, and a chain waits if its import comes too early. The state is updated along the way. For tests only.
 */
export function* follow(
  state: LedgerState.LedgerState,
  chains: Readonly<Record<string, readonly Recorded[]>>,
): Iterable<Accepted> {
  const queues = Object.values(chains).map((blocks) => [...blocks])
  while (queues.some((queue) => queue.length > 0)) {
    let isStuck = true
    for (const queue of queues) {
      const [block] = queue
      const changes = block && tryApply(state, block)
      if (block === undefined || changes === undefined) continue
      LedgerState.commit(state, changes)
      queue.shift()
      isStuck = false
      yield { ...block, changes }
    }
    if (isStuck) throw new RangeError('no recorded chain can continue: an import has no matching export')
  }
}

function tryApply(state: LedgerState.LedgerState, block: Recorded) {
  try {
    return Ledger.apply(state, block.chain, block.bytes)
  } catch (error) {
    if (isFirnError(error) && error.code === 'LEDGER_SHARED_MEMORY') return undefined
    throw error
  }
}
