import { type Common, OptionsError, type Values } from '@firn/options'
import { type Logger, systemClock } from '@firn/runtime'
import * as NetworkPeers from '../primary/peers/NetworkPeers.ts'
import { createPeerSource } from '../primary/peers/PeerSource.ts'
import type { Source } from '../primary/Source.ts'
import { createSource, type NetworkDatabase } from '../primary/setup/Setup.ts'

/** The options that select peers as the source. */
export type PeerOptions = Values<typeof Common.BOOTSTRAP> & {
  readonly networkId?: number | undefined
  readonly from?: string | undefined
  readonly upstream: readonly string[]
}

/**
 * Returns whether the blocks come from peers: neither an archive nor a node is given, but peers are, or a network whose
 * peers are known.
 */
export const isFromPeers = ({ from, upstream, bootstrapIds, networkId }: PeerOptions): boolean =>
  from === undefined &&
  upstream.length === 0 &&
  (bootstrapIds.length > 0 || NetworkPeers.hasBeacons(networkId))

/** Returns whether the options name a source of blocks. */
export const hasSource = (options: PeerOptions): boolean =>
  options.from !== undefined || options.upstream.length > 0 || isFromPeers(options)

/**
 * Checks that peers are not given beside another source, which would be used instead of them.
 * @throws OptionsError
 */
export const assertOne = ({ from, upstream, bootstrapIds }: PeerOptions): void => {
  if (bootstrapIds.length === 0 || (from === undefined && upstream.length === 0)) return
  const other = from === undefined ? '--upstream' : '--from'
  const words = `--bootstrap-ids: the blocks come from ${other}, so these peers would not be used`
  throw new OptionsError(`${words}; pass either ${other} or --bootstrap-ids`)
}

/** The options that name a source, for error messages. */
export const SOURCES = '--network mainnet, --network fuji, --upstream, --from or --bootstrap-ids'

/**
 * Returns the source for the network's peers. On mainnet and fuji it has no C-chain, so the database does not follow it.
 * @throws IndexerError `INDEXER_CONFIGURATION`
 */
export const peers = async (
  options: PeerOptions,
  { store, rules }: NetworkDatabase,
  { checkSignatures = true }: { readonly checkSignatures?: boolean },
  log: Logger,
): Promise<Source> => {
  const { networkId } = rules.genesis
  const network = await NetworkPeers.load(networkId, options)
  if (network.chains !== undefined) {
    const effect =
      'answers that depend on it say so; use --upstream and an empty database for a complete ledger'
    log.info({ networkId }, `the C-chain is not fetched from peers: ${effect}`)
  }
  return createPeerSource({ store, ...rules, ...network, checkSignatures, log })
}

/** Returns the sources in order: first the archive, if given, then the nodes to follow. */
export const create = (
  from: string | undefined,
  urls: readonly string[],
  log?: Logger,
): readonly Source[] => {
  const upstreams = urls.map((url) => ({ url }))
  return [
    ...(from === undefined ? [] : [createSource({ from, clock: systemClock })]),
    ...(upstreams.length === 0 ? [] : [createSource({ upstreams, clock: systemClock, ...(log && { log }) })]),
  ]
}
