import { ProofOfPossession, SecretKey } from '@firn/bls'
import { CHAIN_ALIASES, type ChainAlias, Hex, Id } from '@firn/codec'
import type { Genesis, Networks } from '@firn/genesis'
import { LedgerState } from '@firn/ledger'
import { type ChainHandlers, createPeerServer, Identity, limitAncestors, type PeerServer } from '@firn/p2p'
import { Containers } from '@firn/sync'
import type { Beacon } from '../primary/peers/PeerSource.ts'
import type { Source } from '../primary/Source.ts'

/** Peers that serve a recorded network. For tests only. */
export interface RecordedPeers {
  readonly beacons: readonly Beacon[]
  readonly servers: readonly PeerServer[]
  /** Sets the height of each chain up to which blocks are accepted. */
  setTip(tip: (height: bigint) => bigint): void
  /** Returns the number of containers that the peers have returned. */
  answered(): number
  close(): Promise<void>
}

/** Options of {@link startRecordedPeers}. */
export interface RecordedPeersOptions {
  readonly genesis: Genesis.Genesis
  readonly constants: Networks.Constants
  readonly source: Source
  readonly count: number
  /** Changes the containers of an answer of the peer with this index. */
  /** Bytes of a newest block of a chain. Only its id has to be right. */
  readonly newest?: Partial<Record<ChainAlias, Uint8Array>>
  readonly lie?: (peer: number, containers: readonly Uint8Array[]) => readonly Uint8Array[]
}

type Served = ReturnType<typeof Containers.identify>['read'] extends () => infer Block ? Block : never

/** Starts peers on this machine that serve the blocks of a source. */
export async function startRecordedPeers(options: RecordedPeersOptions): Promise<RecordedPeers> {
  const { genesis, constants, source, count, lie = (_peer, containers) => containers } = options
  const { chainIds } = LedgerState.rulesOf(genesis, constants)
  const chains = new Map<string, { blocks: Served[]; byId: Map<string, Served> }>()
  let last = (height: bigint) => height
  let answered = 0
  for (const chain of CHAIN_ALIASES) {
    const blocks = await readAll(source, chain)
    const newest = options.newest?.[chain]
    if (newest !== undefined) {
      const [id, height] = [Id.hash(newest), BigInt(blocks.length) + 1n]
      blocks.push({ id, height, parentId: Id.EMPTY, bytes: newest })
    }
    const byId = new Map(blocks.map((block) => [Hex.encodeBare(block.id), block]))
    chains.set(Hex.encodeBare(chainIds[chain]), { blocks, byId })
  }
  const served = (chainId: Uint8Array) =>
    chains.get(Hex.encodeBare(chainId)) ?? { blocks: [], byId: new Map<string, Served>() }
  const tipOf = ({ blocks }: { blocks: Served[] }) => blocks[Number(last(BigInt(blocks.length))) - 1]
  const handlersOf = (peer: number): ChainHandlers => ({
    acceptedFrontier({ chainId }) {
      const tip = tipOf(served(chainId))
      return tip && { containerId: tip.id }
    },
    accepted({ chainId, containerIds }) {
      const chain = served(chainId)
      const top = tipOf(chain)?.height ?? 0n
      const isAccepted = (id: Uint8Array) => (chain.byId.get(Hex.encodeBare(id))?.height ?? top + 1n) <= top
      return { containerIds: containerIds.filter(isAccepted) }
    },
    ancestors({ chainId, containerId }) {
      const { blocks, byId } = served(chainId)
      const from = byId.get(Hex.encodeBare(containerId))
      if (from === undefined) return { containers: [] }
      const containers = blocks
        .slice(0, Number(from.height))
        .toReversed()
        .map(({ bytes }) => bytes)
      const answer = lie(peer, limitAncestors(containers))
      answered += answer.length
      return { containers: answer }
    },
    pullQuery({ chainId }) {
      const tip = tipOf(served(chainId))
      if (tip === undefined) return undefined
      const { id, height } = tip
      return { preferredId: id, preferredIdAtHeight: id, acceptedId: id, acceptedHeight: height }
    },
  })
  const { networkId } = genesis
  const servers = await Promise.all(
    Array.from({ length: count }, (_, peer) =>
      createPeerServer({ networkId, identity: createIdentity(), chains: handlersOf(peer) }),
    ),
  )
  return {
    servers,
    beacons: servers.map(({ nodeId, address: endpoint }) => ({ nodeId, endpoint })),
    setTip(tip) {
      last = tip
    },
    answered: () => answered,
    close: async () => void (await Promise.all(servers.map((server) => server.close()))),
  }
}

async function readAll(source: Source, chain: ChainAlias): Promise<Served[]> {
  const tip = (await source.tip(chain)) ?? 0n
  const blocks: Served[] = []
  while (BigInt(blocks.length) < tip) {
    const given = await source.blocks(chain, BigInt(blocks.length) + 1n, 512)
    for (const { bytes } of given) blocks.push(Containers.identify(chain, bytes).read())
  }
  return blocks
}

function createIdentity(): Identity.Identity {
  const secretKey = SecretKey.random()
  return Identity.create({
    blsSign: (message) => ProofOfPossession.sign(secretKey, message).compressed,
  })
}
