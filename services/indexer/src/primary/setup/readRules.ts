import { CheckedHex, isFirnError, type Json, Network } from '@firn/codec'
import { classify, createClient, isRpcError, type RpcError } from '@firn/rpc'
import type { Logger } from '@firn/runtime'
import { PlatformBlock } from '@firn/txs'
import { IndexerError } from '../../common/IndexerError.ts'
import { NodeUpgrades, PlatformBlocks } from '../node/nodeMethods.ts'
import { ask, impatient, type Nodes } from './askNodes.ts'

type Asked = Nodes & { readonly networkId?: number | undefined; readonly log?: Logger }

/** Number of attempts to read from the nodes what is required to start. */
export const ATTEMPTS = 6

/**
 * Returns the parent id of the P-chain's block 0 on the nodes, which is the genesis id. Returns undefined if
 * there are no nodes.
 */
export async function readGenesisId(
  options: Nodes,
  attempts: number,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  try {
    return await ask(options, attempts, signal, async (node) => {
      const client = createClient(PlatformBlocks, { ...node, path: '/ext/bc/P' })
      const params = { height: 0n, encoding: 'hex' } as const
      const { block } = await client.call('platform.getBlockByHeight', params, { signal })
      return PlatformBlock.decode(CheckedHex.decode(String(block))).parentID
    })
  } catch (cause) {
    if (!isFirnError(cause) || signal.aborted) throw cause
    throw new IndexerError(
      'INDEXER_GENESIS',
      `Cannot check the genesis, because block 0 of the P-chain cannot be read from --upstream: ${cause.message}`,
      { cause },
    )
  }
}

/**
 * Returns the nodes' answer to `info.upgrades`; undefined if there are no nodes, or if the answer cannot be read and is
 * not required, because a file or this software has the times.
 */
export async function readUpgrades(
  options: Asked,
  hasTimes: boolean,
  signal: AbortSignal,
): Promise<Json.Json | undefined> {
  const { networkId, log } = options
  const isRequired = !hasTimes && networkId !== Network.MAINNET && networkId !== Network.FUJI
  const attempts = isRequired ? ATTEMPTS : 1
  const asked = isRequired ? options : impatient(options)
  const answer = await readNodeUpgrades(asked, attempts, signal).catch((cause: unknown) => {
    if (!isFirnError(cause) || signal.aborted) throw cause
    if (!isRequired) return undefined
    throw new IndexerError(
      'INDEXER_UPGRADES',
      `Cannot read the upgrade times from --upstream: ${cause.message}. Start the node, or pass --upgrade-file.`,
      { cause },
    )
  })
  if (isRequired && answer?.reason !== undefined) {
    const remedy = 'pass --upgrade-file if the times of the network differ from the local network'
    log?.warn({ reason: answer.reason }, `no node returns its upgrade times: ${remedy}`)
  }
  return answer?.upgrades
}

/** Returns whether a node answered that it does not offer a method, as old nodes and public APIs do. */
function isNotOffered(error: RpcError): boolean {
  return ['answered', 'absent', 'refused'].includes(classify(error))
}

/** A node's answer to `info.upgrades`, or the reason why no node has one. */
interface NodeAnswer {
  readonly upgrades?: Json.Json
  readonly reason?: string
}

/** Returns the first answer to `info.upgrades`. Asks the next node if one does not offer the method. */
export async function readNodeUpgrades(
  options: Nodes,
  attempts: number,
  signal: AbortSignal,
): Promise<NodeAnswer | undefined> {
  let reason: string | undefined
  const answer = await ask(options, attempts, signal, async (node): Promise<NodeAnswer | undefined> => {
    const client = createClient(NodeUpgrades, { ...node, path: '/ext/info' })
    try {
      return { upgrades: await client.call('info.upgrades', {}, { signal }) }
    } catch (error) {
      if (!isRpcError(error) || !isNotOffered(error)) throw error
      reason = error.message
      return undefined
    }
  })
  return answer ?? (reason === undefined ? undefined : { reason })
}
