import { createRecordedDevnet, type Fault, RecordedNetwork } from '@firn/devnet'
import {
  createArchiveSource,
  createPeerSource,
  type GenesisFiles,
  NetworkPeers,
  type Source,
} from '@firn/indexer'
import type { Store } from '@firn/store'

/** Peers that serve an archive. */
export interface PeerNetwork {
  readonly peers: number
  readonly liars: number
  /** How the liars lie. */
  readonly lie: Fault.Fault['kind']
  /** Called with one line when the blocks of an archive were fetched. */
  readonly note?: (line: string) => void
}

/**
 * Starts peers on this machine that serve the archive in `folder`, and returns a source that fetches the blocks from
 * them, knowing only the rules of the network. Blocks have the acceptance times of the recorded node, because
 * answers of the Index API depend on them and peers do not send them. The source closes the peers.
 * @throws IndexerError, DevnetError
 */
export async function createNetworkSource(
  folder: string,
  rules: GenesisFiles.NetworkRules,
  store: Store,
  { peers, liars, lie, note = () => undefined }: PeerNetwork,
): Promise<Source.Source> {
  const archive = createArchiveSource(folder)
  const network = await RecordedNetwork.read({ rules, source: archive }).finally(() => archive.close())
  const faults = Object.fromEntries(Array.from({ length: liars }, (_, index) => [index, lie]))
  const devnet = await createRecordedDevnet({ network, validators: peers, faults })
  const { ids, ips } = devnet.bootstrap
  const beacons = NetworkPeers.parseBeacons(ids.split(','), ips.split(','))
  const source = createPeerSource({ ...rules, store, beacons })
  return {
    ...source,
    async blocks(chain, from, limit, signal) {
      const found = await source.blocks(chain, from, limit, signal)
      const recorded = network.chains[chain].blocks.slice(Number(from), Number(from) + found.length)
      return found.map((block, index) => {
        const acceptedAt = recorded[index]?.acceptedAt
        return acceptedAt === undefined ? block : { ...block, acceptedAt }
      })
    },
    async close() {
      const answered = devnet.validators.map(({ counters }) => counters.answered)
      const { P, X, C } = devnet.heights
      note(
        `${folder}: ${P + X + C} blocks from ${peers} peers, ${liars} of them lying; answers of each: ${answered.join(', ')}`,
      )
      await source.close()
      await devnet.close()
    },
  }
}
