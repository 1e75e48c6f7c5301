import { type ChainAlias, excerpt, isFirnError } from '@firn/codec'
import { type AvmMethods, type Client, type IndexMethods, isRpcError } from '@firn/rpc'
import { IndexerError } from '../../common/IndexerError.ts'
import * as hex from '../hex.ts'
import type { SourceBlock } from '../Source.ts'
import type { EvmBlocks, PlatformBlocks } from './nodeMethods.ts'

/** Client of the Index API of one chain. */
export type IndexClient = Client<typeof IndexMethods>

/** Clients of the endpoints of one node. */
export interface Clients {
  readonly index: Readonly<Record<ChainAlias, IndexClient>>
  readonly platform: Client<typeof PlatformBlocks>
  readonly avm: Client<typeof AvmMethods>
  readonly evm: Client<typeof EvmBlocks>
}

interface BlockContext {
  readonly chain: ChainAlias
  readonly clients: Clients
  readonly origin: string
  readonly signal: AbortSignal | undefined
}

/** Fetches blocks by height concurrently, and returns the blocks before the first missing one. */
export async function readBlocks(context: BlockContext, from: bigint, count: number): Promise<SourceBlock[]> {
  const heights = Array.from({ length: count }, (_, i) => from + BigInt(i))
  const answers = await Promise.allSettled(heights.map((height) => readBlock(context, height)))
  const found: SourceBlock[] = []
  for (const answer of answers) {
    if (answer.status === 'rejected' && found.length === 0) throw answer.reason
    if (answer.status === 'rejected' || answer.value === undefined) break
    found.push(answer.value)
  }
  return found
}

/** Returns the block at a height; undefined if the chain has not reached this height yet. */
async function readBlock(context: BlockContext, height: bigint): Promise<SourceBlock | undefined> {
  const { chain, clients, origin, signal } = context
  if (chain === 'C') return readEvmBlock(context, height)
  try {
    const params = { height, encoding: 'hex' } as const
    const { block } =
      chain === 'P'
        ? await clients.platform.call('platform.getBlockByHeight', params, { signal })
        : await clients.avm.call('avm.getBlockByHeight', params, { signal })
    return { kind: 'block', bytes: decodeBytes(block, origin), origin }
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** JSON-RPC error code of the EVM server for unknown methods. */
const NO_METHOD = -32601

async function readEvmBlock(
  { clients, origin, signal }: BlockContext,
  height: bigint,
): Promise<SourceBlock | undefined> {
  try {
    const bytes = await clients.evm.call('debug_getRawBlock', [`0x${height.toString(16)}`], { signal })
    return { kind: 'block', bytes, origin }
  } catch (error) {
    if (!isRpcError(error) || error.code !== 'RPC_REMOTE') throw error
    if (error.details.rpcCode !== NO_METHOD) return undefined
    throw new IndexerError(
      'INDEXER_NO_RAW_BLOCKS',
      `${origin} serves neither the Index API (--index-enabled) nor raw blocks of the C-chain (debug_getRawBlock, removed in Helicon). Imports and exports of the C-chain cannot be indexed from this node. Enable its Index API, or use another node.`,
      { cause: error },
    )
  }
}

/** Decodes bytes as nodes print them. @throws IndexerError `INDEXER_SOURCE` */
export function decodeBytes(text: unknown, origin: string): Uint8Array {
  try {
    if (typeof text === 'string') return hex.decodeChecked(text)
  } catch (cause) {
    if (!isFirnError(cause)) throw cause
    throw new IndexerError('INDEXER_SOURCE', `${origin}: ${cause.message}`, { cause })
  }
  throw new IndexerError(
    'INDEXER_SOURCE',
    `${origin}: expected a hex string with the block's bytes, got ${excerpt(text)}`,
  )
}

function isNotFound(error: unknown): boolean {
  return isRpcError(error) && error.details.rpcMessage === 'not found'
}
