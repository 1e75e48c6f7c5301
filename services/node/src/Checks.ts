import { statfs } from 'node:fs/promises'
import { CHAIN_ALIASES, type ChainAlias, Id } from '@firn/codec'
import { Networks } from '@firn/genesis'
import { Chains, type Check, type NodeContext, NodeError, Peers } from '@firn/node-api'
import { Blocks, type Store } from '@firn/store'

/** Options of {@link create}. */
export interface ChecksOptions {
  readonly context: NodeContext
  /** Folder whose disk must have free space. */
  readonly dataDir: string
  /** Peers to which this process is connected. */
  readonly peers?: Pick<Peers.Peers, 'list'>
  /** Maximum age of a chain's last block, in milliseconds; 0 disables the check. */
  readonly maxLagMs: number
}

const LEAST_FREE_BYTES = 512 * 2 ** 20

/** Returns the health checks of a replica. Checks that a node also has are named as in the node. */
export function create(options: ChecksOptions): readonly Check[] {
  const { context } = options
  const { upstream } = context
  const { peers } = options
  return [
    ...followedBy(context).map((chain) => chainCheck(options, chain)),
    { name: 'bls', run: () => 'node has the correct BLS key' },
    { name: 'bootstrapped', isReadiness: true, run: () => bootstrapped(context) },
    { name: 'database', run: (signal) => database(context.store, signal) },
    { name: 'diskspace', run: () => diskspace(options.dataDir) },
    ...(peers === undefined || peers === Peers.NONE
      ? []
      : [{ name: 'network', run: () => network(context, peers) }]),
    ...(upstream === undefined
      ? []
      : [{ name: 'upstream', run: (signal: AbortSignal) => ask(context, signal) }]),
  ]
}

function chainCheck({ context, maxLagMs }: ChecksOptions, chain: ChainAlias): Check {
  return {
    name: chain,
    tags: [Id.format(Networks.PRIMARY_NETWORK_ID)],
    run: async (signal) => {
      const { store } = context
      const at = await store.snapshot(signal)
      const { height, time, blockId } = at[chain]
      const [last] = await Blocks.containers(store, at, chain, height, height)
      const lag = Math.max(0, Math.floor(context.now() / 1000) - Number(time))
      if (maxLagMs > 0 && lag * 1000 > maxLagMs)
        throw new NodeError('NODE_UNHEALTHY', `the last block, at height ${height}, is ${lag} s old`)
      const consensus = {
        lastAcceptedHeight: height,
        lastAcceptedID: Id.format(last?.id ?? blockId),
        longestProcessingBlock: '0s',
        processingBlocks: 0,
      }
      return { engine: { consensus, vm: null }, replica: { lastBlockTime: time, lagSeconds: lag } }
    },
  }
}

/** Returns the chains that are checked: those that the store follows. */
function followedBy({ followsCChain }: NodeContext): readonly ChainAlias[] {
  return CHAIN_ALIASES.filter((chain) => chain !== 'C' || followsCChain)
}

function bootstrapped(context: NodeContext): readonly string[] {
  const { genesis, isBootstrapped } = context
  const byAlias = Chains.ids(genesis)
  const waiting = followedBy(context).filter((chain) => !isBootstrapped(byAlias[chain]))
  if (waiting.length > 0)
    throw new NodeError('NODE_UNHEALTHY', `chains not bootstrapped: ${waiting.join(', ')}`)
  return []
}

async function database(store: Store, signal: AbortSignal): Promise<undefined> {
  await store.ping()
  signal.throwIfAborted()
  return undefined
}

/** Reports the connections to peers as a node does, except for its rate of failures to send, which is not measured. */
function network({ now }: NodeContext, peers: Pick<Peers.Peers, 'list'>): unknown {
  const list = peers.list()
  if (list.length === 0) throw new NodeError('NODE_UNHEALTHY', 'no peer is connected')
  const since = (times: readonly number[]) => `${Math.max(0, Math.round(now() - Math.max(...times)))}ms`
  return {
    connectedPeers: list.length,
    timeSinceLastMsgReceived: since(list.map(({ lastReceived }) => lastReceived)),
    timeSinceLastMsgSent: since(list.map(({ lastSent }) => lastSent)),
  }
}

async function diskspace(folder: string): Promise<unknown> {
  const { bavail, blocks, bsize } = await statfs(folder)
  const availableDiskBytes = bavail * bsize
  if (availableDiskBytes < LEAST_FREE_BYTES)
    throw new NodeError('NODE_UNHEALTHY', `only ${availableDiskBytes} bytes are free in ${folder}`)
  return { availableDiskBytes, availableDiskPercentage: Math.floor((bavail / blocks) * 100) }
}

/** A health check that fails while the node shuts down. Load balancers then stop sending requests. */
export const SHUTTING_DOWN: Check = {
  name: 'shuttingDown',
  run: () => {
    throw new NodeError('NODE_UNHEALTHY', 'the node is shutting down')
  },
}

async function ask({ upstream }: NodeContext, signal: AbortSignal): Promise<unknown> {
  await upstream?.method('/ext/info', 'info.getNetworkID', {}, { signal })
  return (upstream?.health() ?? []).map(({ url, healthy, lastError = null }) => ({ url, healthy, lastError }))
}
